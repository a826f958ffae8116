#!/bin/bash
# The steps of examples/gpu_window_sum: what its table says is what the code does. Random windows by tiles in shared memory,
# and schedules of windows that cannot be.
. "$(dirname "$0")/cli_lib.sh"
example=$source/examples/gpu_window_sum
ok python3 "$example/steps.py" "$(dirname "$daedalus")/daedalus-bench"
while IFS= read -r line; do
  grep -qxF -- "$line" "$example/README.md" || fail "README.md has another line for: $line"
done <"$work.out"
[ "$(wc -l <"$work.out")" -eq 5 ] || fail "there are not three steps"

ok /usr/bin/python3 "$source/tests/e2e/gpu_windows.py" "$daedalus" "$(dirname "$daedalus")/../lib/daedalus-cuda-emulation.so" 1 "${DAEDALUS_GPU_WINDOWS:-20}"

refuses_schedule() { # SENTENCE ENTRY
  printf 'cuda.schedule format 1 {\n  %s\n}\n' "$2" >given.mlir
  refuses 1 "given.mlir:2: $1" "$daedalus" compile "$example/window_sum.mlir" --target cuda --schedule given.mlir --emit gpu
}
window="cuda.window f32 [1048576] over [32] by"
refuses_schedule 'needs 65664 bytes of shared memory; expected 49152 at most' "$window shared tile [16384]"
refuses_schedule 'has a tile of 16385 results; expected 16384 at most' "$window shared tile [16385]"
refuses_schedule 'has a tile that is not 1 numbers from 1 on: as many as sizes' "$window shared tile [8, 8]"
refuses_schedule 'has a tile that is not 1 numbers from 1 on: as many as sizes' "$window shared"
refuses_schedule 'is computed by threads, and has a tile' "$window threads tile [8]"
refuses_schedule 'has sizes that are not numbers from 1 to 2\^31' "cuda.window f32 [] over [32] by threads"
printf 'cuda.schedule format 1 {\n  %s threads\n  %s threads\n}\n' "$window" "$window" >given.mlir
refuses 1 'given.mlir:3: schedules windows of f32 1048576 over 32 again; line 2 has it already' \
  "$daedalus" compile "$example/window_sum.mlir" --target cuda --schedule given.mlir --emit gpu
finish
