#!/bin/bash
# make.sh FOLDER [BUILD]: draws the spaces of README.md and enumerates them into FOLDER; BUILD is build/release.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
build=${2:-$root/build/release}
mkdir -p "$1"
cd "$1"

make() { # SEED MODEL...
  local seed=$1
  shift
  python3 "$here/draw.py" "$seed" >"$seed.yaml"
  rm -f "$seed.db"
  "$build/bin/daedalus" explore "$seed.yaml" "$@" --db "$seed.db" --csv "$seed.csv" >/dev/null
  python3 "$here/table.py" "$seed.csv" | gzip -9n >"$seed.csv.gz"
  rm "$seed.db" "$seed.csv"
}

convolutions=$build/models/convs
digits=$root/examples/digits/digits.onnx
make 1 "$digits"
make 2 "$convolutions/C5.onnx"
make 3 "$digits" "$convolutions/C8.onnx"
make 4 "$convolutions/C3.onnx"
