#!/bin/sh
# format.sh SOURCE_FOLDER: whether all sources of C and C++ outside of hw are formatted by .clang-format, as Debian 12's clang-format (14) does it.
command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }
cd "$1" || exit 1
bad=$(find isa simulator runtime compiler tests examples \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -print0 |
  xargs -0 -n 50 clang-format --dry-run 2>&1 | sed -n 's/^\([^ :]*\):.*warning: code should be clang-formatted.*/\1/p' | sort -u)
[ -z "$bad" ] || { echo "not formatted; run clang-format -i on:"; echo "$bad"; exit 1; }
