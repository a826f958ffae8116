#!/bin/bash
# What the command line does to files: a full disk is a failure, no input is ever overwritten, links stay links,
# numbers are numbers.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx
image=$source/tests/models/image.npy

# Exit status 1 and one line of error where stdout is full.
full() { # COMMAND...
  local status=0
  "$@" >/dev/full 2>"$work.err" </dev/null || status=$?
  [ "$status" -eq 1 ] || fail "'$*' exits with $status where stdout is full"
  [ "$(wc -l <"$work.err")" -eq 1 ] && grep -q '^daedalus: error: cannot write to stdout: ' "$work.err" ||
    fail "'$*' on a full disk says: $(head -n 3 "$work.err")"
}

full_disk() {
  ok "$daedalus" compile "$model" --emit words -o p.bin
  ok "$daedalus" disasm p.bin -o p.s
  ok "$daedalus" compile "$model" -o m.dae
  full "$daedalus" --version
  full "$daedalus" --help
  full "$daedalus" info
  full "$daedalus" info --operators --json
  full "$daedalus" verify p.bin
  full "$daedalus" disasm p.bin
  full "$daedalus" asm p.s
  full "$daedalus" compile "$model" --emit graph
  full "$daedalus" compile "$model" --placement
  full "$daedalus" compile "$model" -o -
  full "$daedalus" run m.dae --engine functional --input "image=$image"
  full "$daedalus" bench targets "$model" --repeat 1
  full "$daedalus" cosim --programs 1 --engines functional,systemc --machine tiny
  mkdir -p empty_tests/test_data_set_0
  cp "$model" empty_tests/model.onnx
  full "$daedalus" check empty_tests
  refuses 1 'No space left' "$daedalus" compile "$model" -o /dev/full
}

# The input survives, by whatever name the output is.
inputs_stay() {
  cp "$model" x.onnx
  ln x.onnx hard.onnx
  ln -s x.onnx soft.onnx
  for name in x.onnx ./x.onnx hard.onnx soft.onnx; do
    refuses 1 "cannot write '$name': it is an input" "$daedalus" compile x.onnx -o "$name"
    refuses 1 "cannot write '$name': it is an input" "$daedalus" compile soft.onnx --emit asm -o "$name"
  done
  cp "$source/isa/machines/tiny.yaml" my.yaml
  refuses 1 "cannot write 'my.yaml': it is an input" "$daedalus" compile x.onnx --machine my.yaml -o my.yaml
  refuses 1 "cannot write 'p.s': it is an input" "$daedalus" asm p.s -o p.s
  refuses 1 "cannot write 'p.bin': it is an input" "$daedalus" disasm p.bin -o p.bin
  "$daedalus" disasm - -o p.bin <p.bin 2>/dev/null && fail "stdin's own file is overwritten"
  mkdir results
  cp "$image" results/logits.npy
  refuses 1 "cannot write 'results/logits.npy': it is an input" \
    "$daedalus" run m.dae --engine functional --input image=results/logits.npy --output results
  refuses 1 "cannot write 'results/logits.npy': it is an input" "$daedalus" run m.dae --engine functional --samples \
    --input image=results/logits.npy --logits results/logits.npy
  refuses 1 "cannot write 'm.dae': it is an input" "$daedalus" run m.dae --machine default --engine rtl \
    --input "image=$image" --waves m.dae
  ok "$daedalus" compile x.onnx -o y.dae
  ok "$daedalus" compile x.onnx -o y.dae
}

links_stay() {
  mkdir folder
  ln -s folder/target.dae link.dae
  ok "$daedalus" compile "$model" -o link.dae
  [ -L link.dae ] && [ -f folder/target.dae ] || fail "a link to nothing is replaced"
  ok "$daedalus" compile "$model" -o link.dae
  [ -L link.dae ] || fail "a link is replaced"
  ln -s loop loop
  refuses 1 "cannot write 'loop'" "$daedalus" compile "$model" -o loop
}

numbers() {
  local value option
  for value in -1 -0 0x10 010 1e3 1.5 nan '' ' 1' +1 1_0 99999999999999999999999; do
    refuses 2 "--programs" "$daedalus" cosim --programs "$value" --engines functional,systemc
    refuses 2 "--seed" "$daedalus" cosim --programs 1 --seed "$value" --engines functional,systemc
    refuses 2 "--repeat" "$daedalus" bench targets "$model" --repeat "$value"
  done
  for value in 0 1000000001; do
    refuses 2 "--programs: '$value'; expected a whole number from 1 to 1000000000" "$daedalus" cosim --programs "$value"
  done
  refuses 2 "--repeat: '0'; expected" "$daedalus" bench targets "$model" --repeat 0
  for value in -1:5 1:-5 1 : 1: :1 1:2:3 a:b 99999999999999999999999:1; do
    refuses 2 "--window is '$value'" "$daedalus" run m.dae --engine rtl --waves w.fst "--window=$value" \
      --input "image=$image"
  done
  ok "$daedalus" cosim --programs 1 --seed 18446744073709551615 --engines functional,systemc --machine tiny
}

# Ended at whatever moment, a command leaves its folders as they were.
signals() {
  local delay child status
  mkdir signals tmp
  for delay in 0.02 0.05 0.1 0.15 0.2 0.3 0.4 0.6; do
    TMPDIR=$PWD/tmp "$daedalus" compile "$model" --target cpu -o signals/m.dae 2>/dev/null &
    child=$!
    sleep "$delay"
    kill -TERM "$child" 2>/dev/null
    status=0
    wait "$child" 2>/dev/null || status=$?
    [ "$status" -eq 143 ] || [ "$status" -eq 0 ] || fail "ended by TERM, the status is $status"
    [ -z "$(ls -A tmp)" ] || fail "TERM after $delay s leaves $(ls -A tmp) in the temporary folder"
    [ -z "$(ls -A signals | grep -v '^m.dae$')" ] || fail "TERM after $delay s leaves $(ls -A signals)"
  done
}

# One line of at most a few thousand characters, whatever stands in a name.
long_names() {
  local name
  name=$(printf 'a\nb\033[31mc')
  refuses 1 "a b.x1b\[31mc" "$daedalus" compile "$name.onnx"
  name=$(head -c 100000 /dev/zero | tr '\0' x)
  printf 'core: {n: "%s"}\n' "$name" >long.yaml
  refuses 1 "core.n" "$daedalus" info --machine long.yaml
  [ "$(wc -c <"$work.err")" -lt 5000 ] || fail "the error has $(wc -c <"$work.err") characters"
}

full_disk; inputs_stay; links_stay; numbers; signals; long_names
finish
