#!/bin/bash
# The passes from the outside: MLIR's own options on `compile`, what dae-opt runs, reproducers that go from one to the
# other, and that the documentation lists the passes in their order.
. "$(dirname "$0")/cli_lib.sh"
opt=$(dirname "$daedalus")/dae-opt
digits=$source/examples/digits/digits.onnx

# dae-opt exits with 1 and says something that matches.
opt_refuses() { # REGULAR_EXPRESSION ARGUMENTS...
  local pattern=$1
  shift
  "$opt" "$@" >/dev/null 2>said && fail "dae-opt $* succeeds"
  grep -Eq -- "$pattern" said || fail "dae-opt $* does not say '$pattern': $(head -n 3 said)"
}

# What the pipeline runs, a line each.
passes() {
  "$daedalus" compile "$source/examples/tensor_programs/matmul.mlir" --mlir-print-ir-after-all -o p.dae 2>&1 |
    sed -n 's/.*IR Dump After .* (\(.*\)) .*/\1/p' | awk '!seen[$0]++'
}

# That the table with this head lists.
listed() { # HEAD
  sed -n '/^| '"$1"' |/,/^$/s/^| `\([a-z-]*\)` |.*/\1/p' "$source/docs/architecture.md"
}

# On the CPU's kernels, and behind them on their code; the object cache has none of it.
passes_of_kernels() {
  "$daedalus" compile "$digits" --target cpu --mlir-print-ir-after-all -o p.dae 2>&1 |
    sed -n 's/.*IR Dump After .* (\(.*\)) .*/\1/p' | awk '!seen[$0]++' |
    sed -n '/^cpu-take-kernels$/,/^cpu-share-kernels$/{/^cpu-[ts][ah][ka][er]e*-kernels$/d;p;};/^cpu-outline-tasks$/,$p'
}

documented() {
  listed pass >documented
  passes >run
  [ -s run ] || fail "no pass runs"
  diff documented run || fail "docs/architecture.md lists other passes than run"
  # canonicalize and cse run inside of other passes too.
  (listed 'pass on kernels'; listed 'pass on code') | grep -vxE 'canonicalize|cse' >documented
  passes_of_kernels | grep -vxE 'canonicalize|cse' | diff documented - ||
    fail "docs/architecture.md lists other passes on the CPU's kernels than run"
  "$opt" --help >help.txt
  for pass in $(cat run); do grep -q -- "--$pass " help.txt || fail "dae-opt does not have the pass $pass"; done
  for pipeline in daedalus-place daedalus-lower; do
    grep -q -- "--$pipeline" help.txt || fail "dae-opt does not have the pipeline $pipeline"
  done
}

options() {
  "$daedalus" compile "$digits" -o plain.dae
  "$daedalus" compile "$digits" --mlir-timing --mlir-pass-statistics --mlir-print-ir-after=form-streams -o p.dae \
    2>said || fail "MLIR's options are refused: $(head -n 1 said)"
  same plain.dae p.dae
  for text in 'IR Dump After FormStreams' 'Execution time report' 'DaeTensorize' \
    '^qnn-fuse-quantization: commuted [0-9]*, fused [1-9][0-9]*, moved [0-9]*, sums [0-9]*, tables [0-9]*$' \
    '^qnn-channels-last: transposes [0-9]*$' '^place-kernels: accelerator 9, cpu 0, cuda 0, external 0$' '^form-streams: steps 1, streams 1, layers 9$' \
    '^dae-masks: .*gemm [0-9]'; do
    grep -q -- "$text" said || fail "the options do not print '$text'"
  done
  refuses 2 "MLIR rejects its options: .*--mlir-nothing" "$daedalus" compile "$digits" --mlir-nothing
  refuses 2 "'compile' has no option '--nothing'" "$daedalus" compile "$digits" --nothing
  "$daedalus" compile "$digits" --mlir-print-ir-after=nothing 2>said && fail "a pass 'nothing' is taken"
  grep -q "option named 'nothing'" said || fail "it is not said that there is no pass 'nothing': $(cat said)"
}

# --phases says the time of each pass that runs, by its name.
timed() {
  "$daedalus" compile "$digits" --phases -o p.dae >phases.txt
  for pass in import $(cat run) proof package all; do
    grep -Eq "^$pass +[0-9]+\.[0-9]{3}$" phases.txt || fail "--phases does not say the time of $pass"
  done
  [ "$(grep -c . phases.txt)" -eq "$(($(wc -l <run) + 7))" ] || fail "--phases says more than passes: $(cat phases.txt)"
}

# The same module from both, and statistics from dae-opt.
both() {
  "$daedalus" compile "$digits" --emit linalg -o linalg.mlir
  "$daedalus" compile "$digits" --emit dae -o direct.mlir
  "$opt" linalg.mlir --daedalus-lower --mlir-print-debuginfo --mlir-pass-statistics -o opt.mlir 2>said ||
    fail "dae-opt does not lower: $(head -n 1 said)"
  grep -q '^form-streams: steps 1' said || fail "dae-opt prints no statistics"
  "$daedalus" compile direct.mlir -o direct.dae
  "$daedalus" compile opt.mlir -o opt.dae
  same direct.dae opt.dae
  for level in graph linalg dae; do
    "$daedalus" compile "$digits" --emit $level -o $level.mlir
    "$opt" $level.mlir -o /dev/null || fail "dae-opt does not parse level $level"
  done
  "$opt" linalg.mlir --canonicalize --cse --mlir-print-op-generic | "$opt" - --linalg-generalize-named-ops \
    >generic.mlir || fail "dae-opt does not rewrite level linalg"
  "$daedalus" compile linalg.mlir --emit words -o linalg.bin
  "$daedalus" compile generic.mlir --emit words -o generic.bin
  same linalg.bin generic.bin
  printf '%2000s' | tr ' ' '(' >deep.mlir
  opt_refuses "nests more than 1000 brackets" deep.mlir
}

reproducers() {
  "$daedalus" compile "$digits" --target cpu --emit schedule -o digits.schedule
  sed 's/tile \[1, [0-9]*, /tile [1, 3, /' digits.schedule >bad.schedule
  "$daedalus" compile "$digits" --target cpu --schedule bad.schedule --mlir-pass-pipeline-crash-reproducer=middle.mlir \
    -o p.dae 2>said && fail "a tile that divides nothing is taken"
  grep -q 'cpu-tile' middle.mlir || fail "the reproducer does not name the pass in the middle of kernels"
  opt_refuses "tiles of 3 along loop" --run-reproducer middle.mlir
  "$daedalus" compile "$source/examples/tensor_programs/matmul_of_inputs.mlir" --target accelerator \
    --mlir-pass-pipeline-crash-reproducer=again.mlir -o p.dae 2>said && fail "the accelerator takes weights as inputs"
  grep -q 'daedalus: error: .*matmul_of_inputs.mlir:[0-9]*: cannot run on the accelerator' said ||
    fail "a failing pass is not said: $(cat said)"
  grep -q place-kernels again.mlir || fail "the reproducer does not name the passes"
  opt_refuses "cannot run on the accelerator" --run-reproducer again.mlir
}

documented; timed; options; both; reproducers
finish
