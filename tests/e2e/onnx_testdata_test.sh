#!/bin/bash
# Models that this project did not make (Debian's libonnx-testdata): each one compiles, or is refused with
# one sentence. Every 40th of the node tests, and all of the whole networks and small graphs.
. "$(dirname "$0")/cli_lib.sh"
data=${3:-/usr/share/libonnx-testdata/data}
[ -d "$data" ] || { echo "libonnx-testdata is not installed"; exit 77; }

compiled=0 refused=0
while read -r model; do
  if "$daedalus" compile "$model" -o model.dae >"$work.out" 2>"$work.err" </dev/null; then
    compiled=$((compiled + 1))
    rm -f model.dae
  else
    refuses 1 '.' "$daedalus" compile "$model" -o model.dae
    refused=$((refused + 1))
  fi
done < <(find "$data" -name model.onnx -path '*/node/*' | sort | awk 'NR % 40 == 0'
  find "$data" -name model.onnx -not -path '*/node/*' -not -path '*/pytorch-*' | sort)
[ $((compiled + refused)) -gt 20 ] || fail "found too few models in $data"
echo "compiled $compiled, refused $refused"
finish
