#!/bin/bash
# intervals.sh [BUILD]: how far the intervals of docs/intervals.md lie from the runs of digits and of every network in
# BUILD/models (build/release). Prints a table for a narrow and for a wide range of latencies; exit status 1 where a run
# leaves its interval, or an upper end is more than 1.2 of the longest run that was seen.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for model in "$root/examples/digits/digits.onnx" "$build"/models/networks/*.onnx; do
  "$build/bin/daedalus" compile "$model" -o "$work/$(basename "$model" .onnx).dae" >/dev/null
done
for range in 64:128 32:256; do
  echo "read and write latencies $range"
  "$build/bin/intervals_benchmark" "$range" "$range" "$work"/*.dae
done
