#!/bin/sh
# operator_names.sh REPOSITORY: the accelerator knows nests of loops and expressions, and no network's operators: their
# names stand nowhere in the C++ of its target. concatenatesInPlace is what a kernel asks of memory, whatever it computes.
set -eu
cd "$1"
found=$(grep -rniE 'conv([^e]|$)|pool|depthwise|matmul|concat' compiler/lib/Target/Accelerator \
  compiler/include/daedalus/Target/Accelerator --include='*.cpp' --include='*.h' |
  grep -v concatenatesInPlace || true)
[ -z "$found" ] || {
  echo "names of operators in the C++ of the accelerator:"
  echo "$found"
  exit 1
}
