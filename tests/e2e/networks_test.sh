#!/bin/bash
# The networks and convolutions of the benchmarks: the same bytes as on the CPU, everything on the accelerator, the
# planner's cycles near the measured ones, one convolution on the hardware itself; and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
models=$(dirname "$daedalus")/../models bench=$daedalus-bench
[ -f "$models/made" ] || { echo "skipped: no models were built (python3-onnx)"; exit 77; }

# What every row of the last output holds.
rows() { # EXPRESSION over row
  python3 -c "
import json, sys
rows = json.load(open('$work.out'))
keys = 'name machine engine mac_cycles bound_cycles cycles dram_bytes verified'.split()
sys.exit(not all(all(k in row for k in keys) and ($1) for row in rows) or not rows)" || fail "a row without: $1"
}

for machine in default vta; do
  ok "$bench" networks squeezenet mobilenet_v2 detector --machine $machine --json
  rows "row['verified'] and row['cpu_layers'] == 0 and row['machine'] == '$machine'"
  rows "row['dram_cycles'] <= row['bound_cycles'] <= row['cycles']"
  rows "row['mac_cycles'] <= row['bound_cycles'] or row['name'] == 'mobilenet_v2'" # of which VECTOR computes a part
  rows "abs(row['planned_cycles'] / row['cycles'] - 1) < 0.1"
done
for latency in 130 300 500; do # the planner knows a memory that is far
  ok "$bench" networks squeezenet --machine default,read_latency=$latency,write_latency=$latency --json
  rows "abs(row['planned_cycles'] / row['cycles'] - 1) < 0.01"
done
for machine in small balanced fast; do # the table of examples/machines
  for network in mobilenet_v2 resnet18; do
    ok "$daedalus" run "$models/networks/$network.onnx" --machine "$source/examples/machines/$machine.yaml" --timing-only
    cycles=$(sed -n 's/.*: \([0-9,]*\) cycles.*/\1/p' "$work.out" | head -n 1)
    grep -q "^| \[$machine.yaml\].* $cycles " "$source/examples/machines/README.md" ||
      fail "$network takes $cycles cycles on $machine.yaml, which its README does not say"
  done
done
ok "$bench" convs C5 C11 --machine tiny --json
rows "row['verified']"
ok "$bench" convs C5 --json
rows "row['verified'] and row['engine'] == 'systemc' and 25088 == row['mac_cycles'] < row['bound_cycles'] <= row['cycles']"
cycles=$(grep '"cycles"' "$work.out")
ok "$bench" convs C5 --engine rtl --json
rows "row['verified'] and row['engine'] == 'rtl'"
[ "$cycles" = "$(grep '"cycles"' "$work.out")" ] || fail "C5 takes other cycles on rtl than on systemc: $cycles"
ok "$bench" convs C5
prints '^C5 +25,088 '

refuses 1 "has no model 'C13'" "$bench" convs C13
refuses 1 "'nowhere' has no models; make them with" "$bench" networks --models nowhere
refuses 1 "no machine 'big'" "$bench" convs --machine big
refuses 2 '.functional. is unknown; expected systemc or rtl' "$bench" convs --engine functional
refuses 2 "engine" "$bench" convs --engine cuda
mkdir broken && echo nonsense >broken/net.onnx
refuses 1 "broken/net.onnx" "$bench" networks --models broken
finish
