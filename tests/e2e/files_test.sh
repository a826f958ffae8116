#!/bin/bash
# What the command line does to files: a full disk is a failure, no input is ever overwritten, links, pipes and devices
# stay what they are, and private files private; numbers are numbers.
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

# Every kind of output, each to a file of its own in the folder $1.
outputs() { # FOLDER
  "$daedalus" compile "$model" -o "$1/package" && "$daedalus" compile "$model" --emit words -o "$1/words" &&
    "$daedalus" compile "$model" --emit schedule -o "$1/plan" && "$daedalus" disasm p.bin -o "$1/text" &&
    "$daedalus" asm p.s -o "$1/program" && "$daedalus" profile m.dae -o "$1/profile" --trace "$1/trace" \
      --waves "$1/states" &&
    "$daedalus" run m.dae --engine functional --samples --input "image=$image" --logits "$1/logits" &&
    "$daedalus" run m.dae --engine functional --input "image=$image" --output "$1/results" &&
    "$daedalus" run "$model" --machine tiny --engine rtl --input "image=$image" --waves "$1/waves" --window 0:100 &&
    "$(dirname "$daedalus")/dae-opt" "$source/examples/tensor_programs/matmul.mlir" -o "$1/module"
}
kinds="package words plan text program profile trace states logits waves module"

# What is there keeps its rights, and what it is: a file of 0600, a link, a pipe.
rights_stay() {
  local kind
  mkdir outputs outputs/results
  ok outputs outputs
  for kind in $kinds results/logits.npy; do
    [ "$(stat -c %a "outputs/$kind")" = 644 ] || fail "a new $kind has the rights $(stat -c %a "outputs/$kind")"
    chmod 600 "outputs/$kind"
  done
  ok outputs outputs
  for kind in $kinds results/logits.npy; do
    [ "$(stat -c %a "outputs/$kind")" = 600 ] || fail "a private $kind has the rights $(stat -c %a "outputs/$kind") now"
    cp "outputs/$kind" "$kind.before" 2>/dev/null
    mv "outputs/$kind" "outputs/$kind.target"
    ln -s "$(basename "$kind").target" "outputs/$kind"
    : >"outputs/$kind.target"
  done
  ok outputs outputs
  for kind in $kinds results/logits.npy; do
    [ -L "outputs/$kind" ] && [ -s "outputs/$kind.target" ] || fail "the link $kind is replaced"
  done
  same package.before outputs/package.target
  same trace.before outputs/trace.target
  [ -z "$(find outputs -name '.*' ! -name .)" ] || fail "left are $(find outputs -name '.*')"
}

# A pipe gets what a file gets; stdout by its name is stdout.
pipes_stay() {
  local kind readers
  mkdir pipes got
  for kind in $kinds; do mkfifo "pipes/$kind"; done
  for kind in $kinds; do
    timeout 60 cat "pipes/$kind" >"got/$kind" &
    readers="${readers:-} $!"
  done
  ok timeout 60 bash -c "$(declare -f outputs); $(declare -p daedalus model image source); outputs pipes"
  wait $readers
  for kind in $kinds; do
    [ -p "pipes/$kind" ] || fail "the pipe of $kind is replaced"
    [ -s "got/$kind" ] || fail "the pipe of $kind got nothing"
  done
  same got/package package.before
  same got/trace trace.before
  "$daedalus" compile "$model" -o /dev/stdout >out.dae || fail "-o /dev/stdout fails"
  same out.dae package.before
  { echo first; "$daedalus" disasm p.bin -o /dev/stdout; echo last; } >out.s
  { echo first; cat p.s; echo last; } | cmp - out.s || fail "-o /dev/stdout begins its file anew"
}

# A device stays a device, also for root, and a full one is said.
devices_stay() {
  local full=/dev/full disk
  mknod full c 1 7 2>/dev/null && full=full
  [ "$full" = full ] || [ "$(id -u)" -ne 0 ] || return 0
  refuses 1 'No space left' "$daedalus" profile m.dae --trace "$full"
  refuses 1 'No space left' "$daedalus" profile m.dae -o "$full"
  refuses 1 'No space left' "$daedalus" asm p.s -o "$full"
  "$daedalus" run m.dae --engine functional --samples --input "image=$image" --logits "$full" 2>"$work.err" >/dev/null
  grep -q 'No space left' "$work.err" || fail "--logits on a full disk says: $(cat "$work.err")"
  "$daedalus" run "$model" --machine tiny --engine rtl --input "image=$image" --waves "$full" --window 0:9 2>"$work.err" >/dev/null
  grep -q 'No space left' "$work.err" || fail "--waves on a full disk says: $(cat "$work.err")"
  [ -c "$full" ] || fail "'$full' is no device any more"
  rm -f full
  mknod disk b 7 250 2>/dev/null || return 0
  refuses 1 "cannot write 'disk': it is a block device" "$daedalus" compile "$model" -o disk
  [ -b disk ] || fail "the disk is replaced"
  rm disk
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

# A package of 12 outputs of 256 KiB.
many_outputs() {
  local i
  {
    printf 'func.func @main(%%x: tensor<256x256xf32> {daedalus.name = "x"}) -> ('
    for i in $(seq 12); do
      printf '%stensor<256x256xf32> {daedalus.name = "out%d"}' "$([ "$i" -eq 1 ] || printf ', ')" "$i"
    done
    printf ') {\n  %%e = tensor.empty() : tensor<256x256xf32>\n'
    for i in $(seq 12); do
      printf '  %%o%d = linalg.add ins(%%x, %%x : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%%e : tensor<256x256xf32>) -> tensor<256x256xf32>\n' "$i"
    done
    printf '  return '
    for i in $(seq 12); do printf '%s%%o%d' "$([ "$i" -eq 1 ] || printf ', ')" "$i"; done
    printf ' :'
    for i in $(seq 12); do printf '%s tensor<256x256xf32>' "$([ "$i" -eq 1 ] || printf ,)"; done
    printf '\n}\n'
  } >many.mlir
  ok "$daedalus" compile many.mlir --target cpu -o many.dae
  { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (256, 256), }"
    head -c 262144 /dev/zero; } >zeros.npy
}

# The outputs of a run are all there or none of them: where a signal ends it, and where the disk is full.
all_or_none() {
  local trial child status=0
  many_outputs
  mkdir all old
  for trial in $(seq 12); do echo "$trial" >"old/out$trial.npy"; done
  for trial in $(seq 40); do
    "$daedalus" run many.dae --engine functional --input zeros.npy --output "all/in/$trial" >/dev/null 2>&1 &
    child=$!
    sleep "0.0$((10 + trial * 2))"
    kill -TERM "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    [ -z "$(find all -name '.*')" ] || fail "TERM leaves $(find all -name '.*')"
    [ ! -d "all/in/$trial" ] || [ "$(ls "all/in/$trial" | wc -l)" -eq 12 ] || fail "TERM leaves $(ls "all/in/$trial")"
  done
  (ulimit -f 1024; "$daedalus" run many.dae --engine functional --input zeros.npy --output old/new/er) \
    >/dev/null 2>"$work.err" || fail "files of 256 KiB are too large: $(cat "$work.err")"
  rm -r old/new
  refuses 1 "cannot write 'old/new/er/out1.npy': File too large" \
    bash -c "ulimit -f 128; exec '$daedalus' run many.dae --engine functional --input zeros.npy --output old/new/er"
  refuses 1 "cannot write 'old/out1.npy': File too large" \
    bash -c "ulimit -f 128; exec '$daedalus' run many.dae --engine functional --input zeros.npy --output old"
  [ ! -e old/new ] && [ -z "$(find old -name '.*')" ] || fail "a full disk leaves $(find old)"
}

# The waves' own files are mapped to memory, where a full disk is a signal; what is written to them is lost unsaid.
full_waves() {
  local limit
  mkdir waves
  for limit in 8 100; do
    refuses 1 'the disk is full|waves are not complete' env ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_sigbus=0" \
      bash -c "ulimit -f $limit; exec '$daedalus' run '$model' --machine tiny --engine rtl --input 'image=$image' \
        --waves waves/w.fst"
    [ -z "$(ls -A waves)" ] || fail "a full disk leaves $(ls -A waves)"
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

full_disk; inputs_stay; links_stay; rights_stay; pipes_stay; devices_stay; numbers; signals; all_or_none; full_waves; long_names
finish
