#!/bin/bash
# A mistyped name on the command line: the error names the nearest one that there is.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx

commands() {
  refuses 2 "^daedalus: error: there is no command 'complie' \(did you mean 'compile'\?\); the commands are compile, run, " \
    "$daedalus" complie "$model"
  refuses 2 "^daedalus: error: there is no command 'frobnicate'; the commands are " "$daedalus" frobnicate
  refuses 2 "there is no command 'tragets' \(did you mean 'targets'\?\); the commands are targets" \
    "$daedalus" bench tragets "$model"
  refuses 2 "^daedalus-bench: error: there is no command 'convz' \(did you mean 'convs'\?\)" "$daedalus-bench" convz
}

options() {
  refuses 2 "^daedalus: error: 'compile' has no option '--machin' \(did you mean '--machine'\?\); --help lists its options" \
    "$daedalus" compile "$model" --machin vta
  refuses 2 "'compile' has no option '--machin' \(did you mean '--machine'\?\)" "$daedalus" compile --machin=vta "$model"
  refuses 2 "'asm' has no option '--outptu' \(did you mean '--output'\?\)" "$daedalus" asm --outptu=program.bin
  refuses 2 "'run' has no option '-threads' \(did you mean '--threads'\?\)" "$daedalus" run "$model" -threads 2
  refuses 2 "'targets' has no option '--repaet' \(did you mean '--repeat'\?\)" "$daedalus" bench targets "$model" --repaet 2
  refuses 2 "'daedalus' has no option '--versoin' \(did you mean '--version'\?\)" "$daedalus" --versoin
  refuses 2 "'compile' has no option '--no-such-option'; --help" "$daedalus" compile "$model" --no-such-option
  refuses 2 'model is required' "$daedalus" compile --mlir-timing
}

values() {
  refuses 2 "^daedalus: error: --target: target 'gpu' is unknown \(did you mean 'cpu'\?\); expected auto, accelerator, cpu or cuda" \
    "$daedalus" compile "$model" --target gpu
  refuses 2 "target 'cdua' is unknown \(did you mean 'cuda'\?\)" "$daedalus" check . --target auto,cdua
  refuses 2 "^daedalus: error: --engine: 'sistemc' is unknown \(did you mean 'systemc'\?\); expected functional, systemc, rtl, uio, soc or soc-rtl" \
    "$daedalus" run "$model" --engine sistemc
  refuses 2 "engine: 'abacus' is unknown; expected functional, systemc, rtl, uio, soc or soc-rtl" "$daedalus" run "$model" --engine abacus
  refuses 2 "engine: 'functional' is unknown; expected systemc or rtl" "$daedalus" profile "$model" --engine functional
  refuses 2 "engines: 'tlr' is unknown; expected" "$daedalus" cosim --engines systemc,tlr
  refuses 2 "^daedalus: error: --emit: 'lnialg' is unknown \(did you mean 'linalg'\?\); expected graph, " \
    "$daedalus" compile "$model" --emit lnialg
  refuses 2 "placement-policy: 'cheap' is unknown; expected accelerator-first or cheapest" \
    "$daedalus" compile "$model" --placement-policy cheap
  refuses 2 "sort: 'bites' is not an order \(did you mean 'bytes'\?\); expected path, over or bytes" \
    "$daedalus" profile "$model" --sort bites
  refuses 2 "peer-isa: 'avx3' is unknown \(did you mean 'avx2'\?\); expected " "$daedalus-bench" cpu --peer-isa avx3
}

machines() {
  refuses 1 "^daedalus: error: vta,bus_byte=8: the key 'bus_byte' is unknown \(did you mean 'bus_bytes'\?\); docs/isa.md lists" \
    "$daedalus" compile "$model" --machine vta,bus_byte=8
  refuses 1 "no machine 'deflaut' \(did you mean 'default'\?\): neither one of default, large" \
    "$daedalus" info --machine deflaut
  refuses 1 "no machine 'tyni' \(did you mean 'tiny'\?\)" "$daedalus" cosim --machine tyni,n=8
  printf 'base: vta\ncore: {fetch_brust: 2}\n' >mine.yaml
  refuses 1 "mine.yaml: the key 'core.fetch_brust' is unknown \(did you mean 'fetch_burst'\?\)" \
    "$daedalus" info --machine mine.yaml
  printf 'base: vtaa\n' >mine.yaml
  refuses 1 "mine.yaml: 'base' is 'vtaa' \(did you mean 'vta'\?\); expected one of" "$daedalus" run "$model" --machine mine.yaml
  printf 'base: vta\nmemoria: {read_latency: 2}\n' >mine.yaml
  refuses 1 "mine.yaml: the key 'memoria' is unknown \(did you mean 'memory'\?\)" "$daedalus" info --machine mine.yaml
}

commands; options; values; machines
finish
