#!/bin/bash
# run.sh [--engine E] [--target T] [--machine M] [--output LOGITS.npy]
#
# Compiles digits.onnx and runs it on every held-out image. E is functional, systemc (the default:
# cycle level) or rtl (the hardware itself, Verilated); T is auto (the default), accelerator or cpu; M is
# a machine's name or file (default: default). LOGITS.npy receives the int8 logits of all images, shape
# [images, 10]. The last line is `accuracy A cycles C`: the fraction of images classified correctly, and
# the cycles of one image (0 where nothing counts cycles). The compiler is $DAEDALUS, or that of the
# release build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engine=systemc target=auto machine=default output=()

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }
fail() { echo "run.sh: error: $1" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --engine | --target | --machine | --output) [ $# -ge 2 ] || fail "$1 needs a value" ;;&
    --engine) engine=$2 ;;
    --target) target=$2 ;;
    --machine) machine=$2 ;;
    --output) output=(--logits "$2") ;;
    *) fail "unknown argument '$1'; run.sh --help shows what there is" ;;
  esac
  shift 2
done

daedalus=${DAEDALUS:-$here/../../build/release/bin/daedalus}
command -v "$daedalus" >/dev/null || fail "there is no $daedalus; build it with scripts/quickstart.sh"
exec "$daedalus" run "$here/digits.onnx" --engine "$engine" --target "$target" --machine "$machine" \
  --input "image=$here/test_images.npy" --labels "$here/test_labels.npy" --samples "${output[@]}"
