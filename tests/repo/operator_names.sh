#!/bin/sh
# operator_names.sh REPOSITORY: the accelerator knows nests of loops and expressions, and no network's operators: their
# names stand nowhere in the C++ of its target. concatenatesInPlace is what a kernel asks of memory, whatever it computes.
set -eu
cd "$1"
names='conv([^e]|$)|pool|depthwise|matmul|concat'
found=$(grep -rniE "$names" compiler/lib/Target/Accelerator \
  compiler/include/daedalus/Target/Accelerator --include='*.cpp' --include='*.h' |
  sed 's/concatenatesInPlace//g' | grep -iE ":[0-9]+:.*($names)" || true)
[ -z "$found" ] || {
  echo "names of operators in the C++ of the accelerator:"
  echo "$found"
  exit 1
}
