#!/bin/bash
# resnet50_test.sh BUILD: our side of resnet50.py with a tiny network and a driver that emulates the GPU, and what it says
# of what is wrong.
set -euo pipefail
build=$1 here=$(cd "$(dirname "$0")" && pwd)
/usr/bin/python3 -c 'import onnx' 2>/dev/null || { echo "python3-onnx is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # OPTION...
  /usr/bin/python3 "$here/resnet50.py" --daedalus "$build/bin/daedalus" --cuda-bench "$build/bin/cuda_bench" \
    --driver "$build/lib/daedalus-cuda-emulation.so" --cuda-arch emulated --tiny "$@"
}

says() { # FILE REGULAR_EXPRESSION
  grep -Eq -- "$2" "$1" || { echo "no line like '$2':"; cat "$1"; exit 1; }
}

measure --batches 2 >"$work/good" || { cat "$work/good"; exit 1; }
says "$work/good" '^\| ResNet-50 \| float16 \| 2 \| [0-9.]+ \| [0-9.]+ \|.* [0-9.]+e[-+][0-9]+ \|$'
says "$work/good" '^\| ResNet-50 \| int8 \| 2 \| [0-9.]+ \| [0-9.]+ \|.*\| none \|$'

# What has no driver has neither times nor scores, and the table says why.
! DAEDALUS_CUDA_DRIVER=/nowhere.so measure --batches 1 --types int8 --cuda-arch sm_80 >"$work/other" ||
  { echo "a package that does not run is no error"; exit 1; }
says "$work/other" '^\| ResNet-50 \| int8 \| 1 \|  \|  \|.*this host has no CUDA driver: /nowhere.so'
! measure --batches 0 2>"$work/batch" || { echo "a batch of 0 is no error"; exit 1; }
says "$work/batch" "--batches: '0'; expected whole numbers from 1"
! measure --types int8,int4 2>"$work/type" || { echo "an unknown type is no error"; exit 1; }
says "$work/type" "--types: 'int4'; expected float16 or int8"
