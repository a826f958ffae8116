#!/bin/bash
# build.sh FOLDER NAME PROGRAM: the program that runs, on a board, the network that
# `daedalus export MODEL -o FOLDER --cpu THIS_PROCESSOR --name NAME --machine MACHINE` wrote. Needs a C compiler and make.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
host=$(cd "$(dirname "$0")" && pwd)
[ -e "$1/model.h" ] || { echo "build.sh: error: '$1' has no model.h; expected the folder of \`daedalus export\`" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1" "$work/model"
make -s -C "$work/model"
${CC:-gcc} -std=c11 -O2 -Wall -Wextra -DNETWORK="$2" -I"$work/model" -o "$work/program" "$host/host.c" "$host/link.c" "$work/model/lib$2.a"
mv "$work/program" "$3"
