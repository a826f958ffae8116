#!/bin/sh
# no_undefined_symbols.sh NM ARCHIVE: fails, and prints them, where an object of the archive has any.
# A listing without a single defined symbol fails too: nothing was looked at then.
set -eu
defined=$("$1" --defined-only "$2" | grep -c ' T ' || true)
if [ "$defined" -eq 0 ]; then
  echo "$2 defines nothing, expected the driver core"
  exit 1
fi
undefined=$("$1" -u "$2" | grep -E '^ +[A-Za-z] ' || true)
if [ -n "$undefined" ]; then
  echo "$2 needs symbols that a target without a C library does not have:"
  echo "$undefined"
  exit 1
fi
