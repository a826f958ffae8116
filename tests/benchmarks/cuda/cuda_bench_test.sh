#!/bin/bash
# cuda_bench_test.sh BUILD: what cuda.sh makes and runs, with a driver that emulates the GPU, and what it says of what is
# wrong.
set -euo pipefail
build=$1 cuda=$(dirname "$0")/../cuda.sh
/usr/bin/python3 -c 'import onnx' 2>/dev/null && [ -d /usr/share/libonnx-testdata ] ||
  { echo "python3-onnx or libonnx-testdata is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
emulation=$build/lib/daedalus-cuda-emulation.so

says() { # FILE REGULAR_EXPRESSION
  grep -Eq -- "$2" "$1" || { echo "no line like '$2':"; cat "$1"; exit 1; }
}

DAEDALUS_BUILD=$build "$cuda" prepare "$work/out" --tiny --cuda-arch emulated
"$work/out/cuda.sh" check "$work/out" --driver "$emulation" >"$work/good"
cat "$work/good"
says "$work/good" '^passed [0-9]+, wrong 0, failed 0$'
says "$work/good" '^timed/product_int8_16 '

# Wrong results and packages that do not run are told apart, and the others run.
good=$(sed -n 's/^passed \([0-9]*\),.*/\1/p' "$work/good")
cp "$work/out/packages/small/softmax/input_0.npy" "$work/out/packages/small/softmax/output_0.npy"
truncate -s 5000 "$work/out/packages/small/layer_norm.dae"
sed -i 's,^time timed/elementwise .*,time timed/elementwise product 16 16 16,' "$work/out/packages/list"
! "$work/out/cuda.sh" check "$work/out" --driver "$emulation" >"$work/bad" || { echo "wrong results do not fail"; exit 1; }
says "$work/bad" "^wrong small/softmax: output 'y' is [0-9.]+ at element 0, expected "
says "$work/bad" '^wrong timed/elementwise: row 0 of the product is wrong$'
says "$work/bad" '^failed small/layer_norm: '
says "$work/bad" "^passed $((good - 3)), wrong 2, failed 1\$"

# Nothing runs where there is no GPU, and the C library may be an older one.
! DAEDALUS_CUDA_DRIVER=/nowhere.so "$work/out/cuda.sh" check "$work/out" 2>"$work/none" || { echo "no GPU is no error"; exit 1; }
says "$work/none" '^cuda_bench: error: this host has no CUDA driver: /nowhere.so'
! "$work"/out/lib/glibc/ld-linux-x86-64.so.2 --library-path "$work/out/lib:$work/out/lib/glibc" "$work/out/cuda_bench" \
  2>"$work/usage" || { echo "no folder is no error"; exit 1; }
says "$work/usage" '^usage: '
