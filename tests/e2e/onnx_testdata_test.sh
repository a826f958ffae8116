#!/bin/bash
# Models that this project did not make: ONNX's own tests (Debian's libonnx-testdata). No result is wrong, and every
# test of the operators that docs/onnx.md promises passes; the others are refused with one sentence.
. "$(dirname "$0")/cli_lib.sh"
data=${3:-/usr/share/libonnx-testdata/data}
[ -d "$data" ] || { echo "libonnx-testdata is not installed"; exit 77; }

promised='add|averagepool|basic_conv|basic_convinteger|batchnorm|clip|concat|conv|convinteger|dequantizelinear|edge_pad'
promised+='|constant_pad|reflect_pad|flatten|gemm|globalaveragepool|globalmaxpool|hardsigmoid|hardswish|leakyrelu|matmul'
promised+='|matmulinteger|maxpool|mul|qlinearconv|qlinearmatmul|quantizelinear|relu|reshape|resize|sigmoid|slice'
promised+='|softmax|split|sub|tanh|transpose'
# Not nearest; and what trains.
excepted='resize_.*(cubic|linear)|resize_tf_crop_and_resize|batchnorm_.*training_mode'

for suite in node simple pytorch-converted pytorch-operator; do
  "$daedalus" check "$data/$suite" >"$work.$suite" 2>"$work.err" </dev/null ||
    fail "$suite: $(grep -E '^wrong' "$work.$suite" | head -n 3) $(head -n 3 "$work.err")"
  echo "$suite: $(tail -n 1 "$work.$suite")"
  tail -n 1 "$work.$suite" | grep -Eq '^passed [0-9]+, refused [0-9]+, wrong 0$' || fail "$suite ends without a summary"
  grep -E '^refused' "$work.$suite" | grep -Evq ': .' && fail "$suite: a test is refused without a reason"
done
refusedOfPromised=$(grep -hE "^refused .*/test_($promised)(_[^/]*)?: " "$work.node" | grep -Ev "/test_($excepted)[^/]*: ")
[ -z "$refusedOfPromised" ] || fail "refused: $refusedOfPromised"
grep -hE '^refused' "$work.pytorch-converted" | grep -Ev 'ConvTranspose' && fail "a converted module is refused"
python3 "$(dirname "$0")/../../scripts/onnx_docs.py" "$daedalus" "$data" >"$work.page"
cmp -s "$work.page" "$(dirname "$0")/../../docs/onnx.md" ||
  fail "docs/onnx.md is not what scripts/onnx_docs.py prints: $(diff "$work.page" "$(dirname "$0")/../../docs/onnx.md" | head -n 4)"
finish
