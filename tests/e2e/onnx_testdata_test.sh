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
# Not nearest.
excepted='resize_.*(cubic|linear)|resize_tf_crop_and_resize'

page=$work.page
python3 "$(dirname "$0")/../../scripts/onnx_docs.py" "$daedalus" "$data" >"$page"
for suite in node simple pytorch-converted pytorch-operator; do
  grep -E "^\| $suite \| [0-9]+ \| [0-9]+ \| 0 \|$" "$page" || fail "$suite: $(grep -E ': output .* expected' "$page" | head -n 3)"
done
grep -E '\| refused: *\|$' "$page" && fail "a test is refused without a reason"
grep -E "^\| test_($promised)(_[^|]*)? \| refused" "$page" | grep -Ev "^\| test_($excepted)" && fail "a promised test is refused"
sed -n '/^### pytorch-converted/,/^### pytorch-operator/p' "$page" | grep -E '\| refused' | grep -v ConvTranspose &&
  fail "a converted module is refused"
cmp -s "$page" "$(dirname "$0")/../../docs/onnx.md" ||
  fail "docs/onnx.md is not what scripts/onnx_docs.py prints: $(diff "$page" "$(dirname "$0")/../../docs/onnx.md" | head -n 4)"

# What is wrong is said, and fails the command.
cp -r "$data/node/test_relu" wrong && cp wrong/test_data_set_0/input_0.pb wrong/test_data_set_0/output_0.pb
"$daedalus" check wrong >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "a wrong result does not fail the command"
prints "^wrong wrong: output 'y' is 0.000000 at element [0-9]+, expected -[0-9.]+$"
prints '^passed 0, refused 0, wrong 1$'
# A tensor program is a model too, where no ONNX file stands beside it.
cp -r "$data/node/test_relu" program && rm program/model.onnx
ok "$daedalus" compile "$data/node/test_relu/model.onnx" --emit linalg -o program/model.mlir
ok "$daedalus" check program
prints '^passed 1, refused 0, wrong 0$'
mkdir none
refuses 1 "'none' holds no test: expected a folder with model.onnx or model.mlir" "$daedalus" check none
refuses 2 'folders' "$daedalus" check
# A run-time shape that does not give the declared one ends the run with a sentence.
python3 - <<'END'
import struct
def save(name, descr, shape, data):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
save("data.npy", "<f4", (2, 3, 4), struct.pack("<24f", *range(24)))
save("shape.npy", "<i8", (1,), struct.pack("<q", 23))
save("table.npy", "<f4", (5, 4, 3, 2), struct.pack("<120f", *range(120)))
for name, last in (("within", -5), ("behind", 5), ("before", -6), ("far", 2**32)):
    save(name + ".npy", "<i8", (3,), struct.pack("<3q", 0, 1, last))
END
refuses 1 "node 'Reshape_0' that say its output's shape .* do not give float32 \\[24\\]" "$daedalus" run \
  "$data/node/test_reshape_one_dim/model.onnx" --input data=data.npy --input shape=shape.npy

# So does an index that comes at run time and is out of range; none is moved into it.
gather="$data/node/test_gather_0/model.onnx"
ok "$daedalus" run "$gather" --input data=table.npy --input indices=within.npy
for index in behind before far; do
  refuses 1 "node 'Gather_0' selects by an index .* outside of the dimension; expected" "$daedalus" run "$gather" \
    --input data=table.npy --input "indices=$index.npy"
done

finish
