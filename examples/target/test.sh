#!/bin/bash
# test.sh LANES.so RUN COMPILE_AND_RUN DAEDALUS: the lanes machine from the command line, from C and from C++.
set -euo pipefail
lanes=$1 run=$2 compile_and_run=$3 daedalus=$4
model=$(cd "$(dirname "$0")" && pwd)/model.mlir
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fails() { # SENTENCE COMMAND...: the command ends with it
  local sentence=$1
  shift
  if "$@" >out 2>err; then echo "'$*' does not fail" >&2; exit 1; fi
  grep -q -- "$sentence" err || { echo "'$*' does not say '$sentence': $(cat err)" >&2; exit 1; }
}

/usr/bin/python3 - <<'END'
import numpy
for name, seed in (("x", 1), ("y", 2)):
    data = numpy.random.default_rng(seed).integers(-128, 128, (48, 50), dtype=numpy.int8)
    numpy.save(name + ".npy", data)
    data.tofile(name + ".raw")
END
inputs=(--input arg0=x.npy --input arg1=y.npy)
clocks=(--lanes-clock-mhz 4000 --clock-mhz 1000)
"$daedalus" compile "$model" --target-plugin "$lanes" --lanes 32 "${clocks[@]}" -o lanes.dae
for level in linalg dae; do
  "$daedalus" compile "$model" --target-plugin "$lanes" --lanes 32 "${clocks[@]}" --emit $level -o $level.mlir
  "$daedalus" compile $level.mlir --target-plugin "$lanes" --lanes 32 "${clocks[@]}" -o again.dae
  cmp lanes.dae again.dae
done
"$daedalus" run lanes.dae --driver "$lanes" "${inputs[@]}" --output lanes | tee run.txt
[ "$(grep -c 'lanes .* 75 ticks' run.txt)" -eq 3 ]
"$daedalus" run "$model" --target cpu "${inputs[@]}" --output cpu >/dev/null
cmp lanes/result0.npy cpu/result0.npy

"$run" "$lanes" lanes.dae x.raw y.raw >c.raw 2>layers.txt
/usr/bin/python3 -c "
import numpy
assert numpy.array_equal(numpy.fromfile('c.raw', numpy.int8).reshape(48, 50), numpy.load('cpu/result0.npy'))"
[ "$(grep -c '^lanes 75$' layers.txt)" -eq 3 ]
"$compile_and_run" "$lanes" "$model" | tee cpp.txt
grep -q '^lanes lanes cpu lanes ' cpp.txt
grep -q '^the same bytes$' cpp.txt

fails "for which no driver is registered" "$daedalus" run lanes.dae "${inputs[@]}"
fails "expected a whole number from 1 to 4096" "$daedalus" compile "$model" --target-plugin "$lanes" --lanes 0
fails "cannot run on the machine of 64 lanes: it " "$daedalus" compile "$model" --target-plugin "$lanes" --target lanes
fails "cannot be loaded as a driver" "$run" nothing.so lanes.dae x.raw y.raw
echo "all checks passed"
