#!/bin/bash
# Help, usage errors, and what every command prints on the digits model.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx
image=$source/tests/models/image.npy

# Options of several commands are described once, by the program; each command says alike what -o is.
common_options() {
  local command
  ok "$daedalus" --help
  prints '^Common options, of the commands whose help names them:$'
  prints '^  --target T:\{auto,accelerator,cpu,cuda\}=auto$'
  prints '^  --threads N=1 +CPU threads that share the work of each kernel$'
  grep -oE '^  --[a-z-]+' "$work.out" | sort | uniq -d | grep . && fail "an option is described twice"
  ok "$daedalus" compile --help
  prints '^Common options \(see daedalus --help\): --target, --placement-policy, '
  grep -q '^  --target ' "$work.out" && fail "compile describes a common option"
  for command in compile asm disasm profile bench; do
    ok "$daedalus" "$command" --help
    tr -s ' \n' ' ' <"$work.out" >joined && mv joined "$work.out"
    prints ' -o,--output [A-Za-z.]+ .*Write .*to this file; - is stdout \(default: '
  done
  for command in run cosim; do
    ok "$daedalus" "$command" --help
    tr -s ' \n' ' ' <"$work.out" >joined && mv joined "$work.out"
    prints ' -o,--output DIR Write .*to this folder \(default: '
  done
  for command in '' compile run profile certify asm disasm verify bench 'bench targets' check cosim explore info; do
    ok "$daedalus" $command --help
    awk 'length > 100 { print; long = 1 } END { exit !long }' "$work.out" && fail "'$command' has help beyond column 100"
  done
}

help() {
  local command
  ok "$daedalus" --help
  prints '^  daedalus compile model.onnx'
  for command in compile run asm disasm verify info; do
    ok "$daedalus" "$command" --help
    prints '^Examples:'
    prints "^  daedalus.* $command "'?'
  done
  common_options
  ok "$daedalus" --version
  prints '^daedalus [0-9]+\.[0-9]+\.[0-9]+$'
}

usage() {
  refuses 2 'subcommand' "$daedalus"
  refuses 2 'frobnicate' "$daedalus" frobnicate
  refuses 2 'model' "$daedalus" compile
  refuses 2 'no-such-option' "$daedalus" compile "$model" --no-such-option
  ok "$daedalus" compile "$model" --emit dot
  prints '^  0 \[label="stem/conv\\nstem/relu\\n9,216 products\\naccelerator", fillcolor=1\];$'
  prints '^  3 -> 4;$'
  refuses 2 'emit.*nonsense|nonsense' "$daedalus" compile "$model" --emit nonsense
  refuses 2 'abacus' "$daedalus" run "$model" --engine abacus
  refuses 2 'gpu' "$daedalus" run "$model" --target gpu
  refuses 2 'NAME=FILE.*has 2 inputs' "$daedalus" run "$source/examples/tensor_programs/absolute_difference.mlir" --input "$image"
  refuses 1 'samples runs each of the [0-9]+' "$daedalus" run "$model" --input "$source/examples/digits/test_images.npy"
  refuses 2 'twice' "$daedalus" run "$model" --input "image=$image" --input "image=$image"
  refuses 2 'samples' "$daedalus" run "$model" --input "image=$image" --labels x.npy
  refuses 2 'timing-only' "$daedalus" run "$model" --timing-only --output results
  refuses 2 'emit' "$daedalus" compile "$model" --emit asm --placement
  local text
  for text in '' image= =1x2 1x 1x02 1x-2 2147483649 1xa 1..2; do
    refuses 2 "^daedalus: error: --shape: '$text'; expected INPUT=SIZES" "$daedalus" compile "$model" --shape "$text"
  done
  for text in '' 1 image= =1 image=one image=1x image=nan0; do
    refuses 2 "^daedalus: error: --set: '$text'; expected INPUT=NUMBER" "$daedalus" run "$model" --set "$text"
  done
  refuses 2 "shape of input 'a=b' is given twice" "$daedalus" bench targets "$model" --shape a=b=1 --shape a=b=2
  refuses 2 'set of input .image. is given twice' "$daedalus" compile "$model" --set image=1 --set image=1
  refuses 2 'shape and --set need a model' "$daedalus" cosim --shape 1x2
}

compile() {
  local level
  for level in graph linalg dae asm llvm; do
    ok "$daedalus" compile "$model" --emit "$level"
    [ "$level" = llvm ] || prints 'block/conv1'
  done
  ok "$daedalus" compile "$model" --placement
  prints 'block/add.*accelerator'
  prints '^accelerator +9 +452,224 +[0-9,]+ +[0-9,]+ cycles +stem/conv'
  prints '^  accelerator: 9 layers, 100.0% of the products, [0-9,]+ cycles expected$'
  ok "$daedalus" compile "$model" --placement --target cpu
  prints '^stem/conv .* \| +[0-9.]+ us \| asked for with target cpu$'
  prints '^asked for with target cpu +9 +452,224 .* us$'
  prints '^  most of the work on cpu: 9 layers with 452,224 products, [0-9.]+ ms on this host, such as'
  ok "$daedalus" compile "$model" --placement --json
  prints '"target": "accelerator"'
  ok "$daedalus" compile "$model" --placement --phases --json
  /usr/bin/python3 -m json.tool "$work.out" >/dev/null || fail "compile --json prints no JSON"
  ok "$daedalus" compile "$model"
  prints '^digits.dae: [0-9]+ layers, [0-9,]+ products$'
  prints '^  accelerator: .*100.0% of the products, [0-9,]+ cycles expected$'
  ok "$daedalus" compile "$model" -o again.dae
  same digits.dae again.dae
  ok "$daedalus" verify digits.dae
  prints '^ok$'
}

# Schedules of the CPU's kernels: printed, obeyed, refused.
schedules() {
  ok "$daedalus" compile --help
  prints '--schedule FILE'
  prints '--tuned FILE'
  ok "$daedalus" compile "$model" --target cpu --emit schedule -o schedule.mlir
  grep -q '^  // stem/conv' schedule.mlir || fail "no node is named: $(head -n 5 schedule.mlir)"
  ok "$daedalus" compile "$model" --target cpu -o chosen.dae
  ok "$daedalus" compile "$model" --target cpu --schedule schedule.mlir -o obeyed.dae
  same chosen.dae obeyed.dae
  sed 's/tile \[1,/tile [3,/' schedule.mlir >three.mlir
  refuses 1 "three.mlir:3: gives node '.*' tiles of 3 along loop 0, which has 1; expected a divisor, such as 1" \
    "$daedalus" compile "$model" --target cpu --schedule three.mlir
  refuses 1 'none.mlir' "$daedalus" compile "$model" --schedule none.mlir
  refuses 1 'digits.onnx' "$daedalus" compile "$model" --schedule "$model"
  refuses 1 'none.mlir|input' "$daedalus" compile "$model" --schedule schedule.mlir -o schedule.mlir
  ok "$daedalus" compile "$model" --target cpu --emit dae -o digits.mlir
  refuses 1 'at level dae, where targets and schedules' \
    "$daedalus" compile digits.mlir --schedule schedule.mlir
  refuses 2 'schedule does not change level linalg' \
    "$daedalus" compile "$model" --schedule schedule.mlir --emit linalg
  refuses 2 'tune' "$daedalus" compile "$model" --tune tuned.mlir
}

run() {
  local engine
  for engine in functional systemc; do
    ok "$daedalus" run digits.dae --engine "$engine" --input "image=$image" --output "$engine"
    prints '^output logits: int8 \[1,10\] ='
    prints '^classifier/gemm.*accelerator'
  done
  prints '^ran .*: [0-9,]+ cycles, as the package certifies$'
  prints '^gemm '
  ok "$daedalus" run digits.dae --engine functional --input "$image" --output unnamed
  same unnamed/logits.npy functional/logits.npy
  same functional/logits.npy systemc/logits.npy
  ok "$daedalus" run "$model" --target cpu --input "image=$image" --output cpu
  same functional/logits.npy cpu/logits.npy
  ok "$daedalus" run digits.dae --input "image=$image" --json
  cp "$work.out" full.json
  prints '"utilisation": 0'
  grep -E '"utilisation": ([2-9]|[1-9][0-9]|1\.0*[1-9])' "$work.out" && fail "a utilisation is above 1"
  ok "$daedalus" run "$model" --target cpu --input "image=$image"
  prints "on the host's CPU: no cycles counted; besides 9 layers on this host's CPU: [0-9.]+ us$"
  ok "$daedalus" run digits.dae --timing-only --json
  grep '"cycles"' "$work.out" | cmp - <(grep '"cycles"' full.json) || fail "timing-only counts other cycles"
}

# What a model leaves open is as the data are; --samples gives every output of all.
sizes_of_data() { # MODEL
  local i
  { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': (4, 1, 8, 8), }"
    for i in 1 2 3 4; do tail -c 64 "$image"; done; } >four.npy
  LC_ALL=C sed 's/(4, 1, 8, 8), }/(4, 64), }     /' four.npy >flat.npy
  ok "$daedalus" run "$1" --set rate=4 --input four.npy --output at_once
  prints '^output y: int32 \[4,1,8,8\]'
  ok "$daedalus" run "$1" --set rate=4 --input x=four.npy --samples --output one_by_one --logits first.npy
  prints '^samples 4 '
  same at_once/y.npy one_by_one/y.npy
  same first.npy one_by_one/y.npy
  grep -aq "'shape': (4,)" one_by_one/sum.npy || fail "the sums of 4 samples are no 4 numbers"
  ok "$daedalus" profile "$1" --set rate=4 --input x=four.npy
  refuses 1 "int8 \[4,1,8,8\], but the input 'x' is int8 \[1,1,8,8\]; --samples" "$daedalus" run "$1" \
    --shape x=1x1x8x8 --set rate=4 --input four.npy
  refuses 1 "'flat.npy' is \\[4,64\\], but the input 'x' of .* is \\[batch,1,height,width\\]; expected as many" \
    "$daedalus" run "$1" --set rate=4 --input flat.npy
  refuses 1 "cannot read 'none.npy': No such file" "$daedalus" run "$1" --set rate=4 --input none.npy
}

# Sizes and constants of inputs that a model leaves open.
shapes() {
  local open=$source/tests/models/open_sizes.onnx
  ok "$daedalus" compile "$open" --shape x=2x1x3x4 -o open.dae
  ok "$daedalus" info open.dae
  prints '^function main: x int8 \[2,1,3,4\], rate int32 \[\] -> y int32 \[2,1,3,4\], sum int32 \[\]'
  ok "$daedalus" compile "$open" --shape x=1,1,8x8 --set rate=4 -o fixed.dae
  ok "$daedalus" info fixed.dae
  prints '^function main: x int8 \[1,1,8,8\] -> y'
  ok "$daedalus" run "$open" --shape x=1x1x8x8 --set rate=4 --input "$image"
  prints '^output sum: int32 \[\] = -11976$'
  sizes_of_data "$open"
  ok "$daedalus" bench targets "$open" --shape x=1x1x8x8 --set rate=4 --repeat 1
  ok "$daedalus" cosim "$open" --engines functional,systemc --shape x=1x1x8x8
}

info() {
  ok "$daedalus" info
  prints '^default +16x16'
  prints '^tiny +8x8'
  ok "$daedalus" info --json
  prints '"engines"'
  printf 'core:\n  n: 8\n' >mine.yaml
  sed 's/^  wgt_bytes:.*/  wgt_bytes: 32768/' "$source/isa/machines/tiny.yaml" >mine.yaml
  ok "$daedalus" info --machine mine.yaml
  prints '^mine +8x8 .* 32 KiB'
  ok "$daedalus" run "$model" --machine mine.yaml --input "image=$image" --output mine
  same functional/logits.npy mine/logits.npy
  area
}

area() {
  local builtin=$source/compiler/lib/Report/Area/45nm.yaml
  ok "$daedalus" info --machine tiny --area
  prints '^module .*mm2 \(estimated\)  error of the fit$'
  prints '^gemm +[0-9]+\.[0-9] .*%$'
  prints "^scratchpads' RAM +418,816 "
  prints '^Area is estimated by .*, without wires, clock tree and I/O\.$'
  ok "$daedalus" info --machine tiny,n=16,bus_bytes=16,queue_depth=64 --area --area-table "$builtin" --json
  prints '"extrapolated": \['
  prints '"queue_depth is 64, fitted to '
  sed '/^gate_um2/d' "$builtin" >table.yaml
  refuses 1 "table.yaml: the key 'gate_um2' is missing" "$daedalus" info --area-table table.yaml
  refuses 1 "'nowhere.yaml': No such file" "$daedalus" info --area-table nowhere.yaml
}

# The cases and what is printed of one; how long it takes is nobody's business here, and no peer has to be there.
bench_cpu() {
  ok "$daedalus-bench" cpu --list
  prints '^conv3x3s2-64x56x56-128/float32$'
  ok "$daedalus-bench" cpu --list --cases 'depthwise.*int8'
  prints '^depthwise3x3-960x7x7/int8$'
  [ "$(wc -l <"$work.out")" -eq 4 ] || fail "--cases chooses $(wc -l <"$work.out") depthwise cases in int8, expected 4"
  ok "$daedalus-bench" cpu --cases depthwise3x3-960x7x7/int8 --json
  prints '"name": "depthwise3x3-960x7x7"'
  prints '"seconds": [0-9.e-]+,'
  ok "$daedalus-bench" cpu --cases depthwise3x3-960x7x7/int8
  prints '^case +type +threads +ours us'
  TMPDIR=/nowhere "$daedalus-bench" cpu --cases depthwise3x3-960x7x7/int8 >"$work.out" && fail "no folder, and all is well"
  prints "^depthwise3x3-960x7x7/int8: cannot make a temporary folder in '/nowhere/': No such file or directory; set TMPDIR"
  refuses 2 "--cases: no case matches 'cubes'; the cases are matmul-256x256x256/float32" "$daedalus-bench" cpu --cases cubes
  refuses 2 "--cases: 'mat\(mul' is not a regular expression" "$daedalus-bench" cpu --cases 'mat(mul'
  refuses 2 "--repeats: '4'; expected a whole number from 5 to 1000" "$daedalus-bench" cpu --repeats 4
  refuses 2 "--threads: '0'; expected a whole number from 1 to 1024" "$daedalus-bench" cpu --threads 0
  refuses 2 "--peer-isa: 'sse9' is unknown" "$daedalus-bench" cpu --peer-isa sse9
}

# A model's layers on the accelerator and on the CPU.
bench_targets() {
  local clock
  ok "$daedalus" bench targets "$model" --repeat 2 --threads 3 --cpu x86-64-v2
  prints '^CPU: .+, 3 threads, code for x86-64-v2; microseconds of one run: medians of 2 batches'
  prints '^accelerator: machine default, simulated by systemc; cycles, and no microseconds without a clock'
  prints '^targets of this build: accelerator, cpu, cuda$'
  prints '^sum of the layers +452,224 +5,074 '
  prints '^whole run +5,074 '
  prints '^left to the CPU: no layer$'
  grep -q 'MHz' "$work.out" && fail "bench targets has a clock that nobody said"
  ok "$daedalus" bench targets "$model" --repeat 1 --clock-mhz 100
  prints 'us at 100 MHz'
  prints '^whole run +5,074 +50.7 '
  ok "$daedalus" bench targets "$model" --repeat 1 --target cpu
  prints '^accelerator: no layer runs on it$'
  ok "$daedalus" bench targets "$model" --machine tiny --repeat 3 --threads 2 --json
  cp "$work.out" targets.json
  /usr/bin/python3 - targets.json <<'END' || fail "the JSON of bench targets"
import json, sys
bench = json.load(open(sys.argv[1]))
layers = bench["layers"]
assert bench["threads"] == 2 and bench["machine"] == "tiny" and bench["clock_mhz"] > 0 and bench["processor"]
assert sum(layer["cycles"] or 0 for layer in layers) == bench["sum"]["cycles"] == bench["whole"]["cycles"] > 0
on_cpu = [layer["on_cpu"] for layer in layers if layer["on_cpu"]]  # not of what belongs to no layer
seconds = sum(layer["seconds"] for layer in on_cpu)
assert abs(seconds - bench["sum"]["cpu_seconds"]) < 1e-12 and 0 < seconds
assert len(on_cpu) == len(layers) - 1 and all(len(layer["samples"]) == 3 for layer in on_cpu) and len(bench["whole"]["on_cpu"]["samples"]) == 3
assert all(layer["utilisation"] is None or 0 <= layer["utilisation"] <= 1 for layer in layers)
assert bench["whole"]["on_cpu"]["samples"][0] > sum(layer["samples"][0] for layer in on_cpu)
END
  refuses 2 "^daedalus: error: --threads: '0'" "$daedalus" bench targets "$model" --threads 0
  for clock in 0 10001 -1 1e3 fast 1.5 ''; do
    refuses 1 "^daedalus: error: the accelerator's clock is '$clock'; expected a whole number of MHz from 1 to 10000" \
      "$daedalus" bench targets "$model" --clock-mhz "$clock"
  done
  refuses 2 '^daedalus: error: --target: target .gpu. is unknown .did you mean .cpu.\?.; expected auto, ' "$daedalus" bench targets "$model" --target gpu
  refuses 2 '^daedalus: error: model is required' "$daedalus" bench targets
  refuses 1 "'none.onnx': No such file" "$daedalus" bench targets none.onnx
  refuses 1 "is not a level of this host's architecture" "$daedalus" bench targets "$model" --cpu x86-64-v9
}

# Whose code runs: the accelerator's programs are proved, native code is trusted or refused.
native() {
  ok "$daedalus" compile "$model" --target accelerator -o accelerator.dae
  ok "$daedalus" compile "$model" --target cpu -o cpu.dae
  ok "$daedalus" info accelerator.dae
  prints '^function main: image int8 \[1,1,8,8\] -> logits'
  prints '^native code: none \(the accelerator alone\)$'
  ok "$daedalus" info cpu.dae
  prints '^native code: [0-9]+ kernels for .* at level '
  ok "$daedalus" info cpu.dae --json
  prints '"native_code": true'
  ok "$daedalus" verify cpu.dae
  prints '^native code: [0-9]+ kernels for '
  ok "$daedalus" verify accelerator.dae --no-native
  ok "$daedalus" run accelerator.dae --no-native --input "image=$image"
  refuses 1 "'cpu.dae' carries native code \\([0-9]+ kernels for .*--no-native refuses" \
    "$daedalus" run cpu.dae --no-native --input "image=$image"
  refuses 1 "'cpu.dae' carries native code" "$daedalus" verify cpu.dae --no-native
  ok "$daedalus" certify accelerator.dae --no-native --runs 1 --rtl-cycles 0
  refuses 1 "'cpu.dae' carries native code" "$daedalus" certify cpu.dae --no-native
  refuses 1 "'$model' carries native code" "$daedalus" run "$model" --target cpu --no-native --input "image=$image"
  ok "$daedalus" info "$model"
  prints '^input image: int8 \[1,8,8,1\]|^input image: '
  prints '^QuantizeLinear +[0-9]+ +yes$'
  ok "$daedalus" info "$model" --json
  prints '"supported": true'
  refuses 1 'is not a package' "$daedalus" info "$image"
  refuses 1 "'none.onnx': No such file" "$daedalus" info none.onnx
}

# The kernels of the CPU on several threads.
threads() {
  local count
  for count in 1 2 5; do
    ok "$daedalus" run cpu.dae --threads "$count" --input "image=$image" --output "threads$count"
    same "threads$count/logits.npy" functional/logits.npy
  done
  has_threads 40 image.npy "$image" "$daedalus" run cpu.dae --threads 40 --input image=image.npy
  ok "$daedalus" compile "$model" --target cpu --threads 2 --placement
  for count in 0 1025 -1 two '' 1.5; do
    refuses 2 "^daedalus: error: --threads: '$count'; expected a whole number from 1 to 1024" \
      "$daedalus" run cpu.dae --threads "$count" --input "image=$image"
  done
  refuses 2 "^daedalus-bench: error: --threads: '0'" "$daedalus-bench" convs --threads 0
  refuses 2 "^daedalus: error: --threads: '0'" "$daedalus" check . --threads 0
  refuses 2 "^daedalus: error: --threads: '0'" "$daedalus" compile "$model" --threads 0
  refuses 2 'threads is for the measured times of layers' "$daedalus" compile "$model" --emit asm --threads 2
}

# Code for levels of the processor, and the cache of it.
levels() {
  ok "$daedalus" compile "$model" --target cpu --cpu x86-64-v2,native -o levels.dae
  ok "$daedalus" run levels.dae --input "image=$image" --output levels
  same levels/logits.npy functional/logits.npy
  ok "$daedalus" compile "$model" --target cpu --cpu x86-64-v2 -o low.dae
  ok "$daedalus" info low.dae
  prints 'x86-64-v2'
  ok "$daedalus" run low.dae --input "image=$image" --output low
  same low/logits.npy functional/logits.npy
  refuses 1 "^daedalus: error: --cpu: 'x86-64-v9' is not a level of this host's architecture; expected native, x86-64-v2" \
    "$daedalus" compile "$model" --cpu x86-64-v9
  refuses 1 "^daedalus: error: --cpu: '' is not a level" "$daedalus" compile "$model" --cpu native,
  refuses 2 "^daedalus: error: --cpu is for models" "$daedalus" run low.dae --cpu native
  local cache=$PWD/objects damaged
  ok env DAEDALUS_CACHE="$cache" "$daedalus" compile "$model" --target cpu -o first.dae
  damaged=$(find "$cache/objects" -name 'llvmcache-*' | head -n 1)
  [ -n "$damaged" ] || fail "no object is kept"
  echo x >>"$damaged"
  ok env DAEDALUS_CACHE="$cache" "$daedalus" compile "$model" --target cpu -o again.dae
  same again.dae first.dae
  chmod 777 "$cache/objects"
  ok env DAEDALUS_CACHE="$cache" "$daedalus" compile "$model" --target cpu -o shared.dae
  same shared.dae first.dae
}

help; usage; compile; schedules; run; shapes; info; bench_cpu; bench_targets; native; threads; levels
finish
