#!/bin/bash
# data_independence_test.sh BUILD: hw/lint/data_independence.py finds no way from data to what decides about time, and
# in a copy with planted ones (leaks.txt) every one of them, by its place and by where the data come from.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
build=${1:?usage: data_independence_test.sh BUILD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$source/hw/lint/data_independence.py" "$build" & right=$!

grep -v '^leak ' "$here/leaks.txt" >"$work/leaks.txt"
python3 -B "$source/tests/faulty_hardware/plant.py" "$work/leaks.txt" "$source/hw/rtl" "$work/rtl"
sed -i "s/(daedalus_tb.bug_i == .*)/1'b1/" "$work/rtl/bugs.svh"
"$source/hw/lint/data_independence.py" "$build" tiny "$work/rtl" >"$work/out" \
  && { echo "no planted way is found"; exit 1; }
sed -n 's/^leak //p' "$here/leaks.txt" | while IFS= read -r leak; do
  grep -F -m 1 "$leak" "$work/out" || { echo "not found: $leak"; cat "$work/out"; exit 1; }
done
wait "$right"
