#!/bin/bash
# The steps of examples/gpu_matmul: what its table says is what the code does.
. "$(dirname "$0")/cli_lib.sh"
example=$source/examples/gpu_matmul
ok python3 "$example/steps.py" "$(dirname "$daedalus")/daedalus-bench"
while IFS= read -r line; do
  grep -qxF -- "$line" "$example/README.md" || fail "README.md has another line for: $line"
done <"$work.out"
[ "$(wc -l <"$work.out")" -eq 7 ] || fail "there are not five steps"
refuses 1 "nothing of the model runs on the GPU" "$(dirname "$daedalus")/daedalus-bench" gpu \
  /usr/share/libonnx-testdata/data/node/test_flatten_axis0/model.onnx
refuses 2 "blocks" "$(dirname "$daedalus")/daedalus-bench" gpu "$example/matmul.mlir" --blocks 1
finish
