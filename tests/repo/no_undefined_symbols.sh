#!/bin/sh
# no_undefined_symbols.sh NM ARCHIVE: fails, and prints them, where the archive needs any that it does not define.
# A listing without a single defined symbol fails too: nothing was looked at then.
set -eu
defined=$("$1" --defined-only "$2" | sed -n 's/.* T //p' | sort -u)
if [ -z "$defined" ]; then
  echo "$2 defines nothing, expected the driver core"
  exit 1
fi
undefined=$("$1" -u "$2" | sed -n 's/^ *[A-Za-z] //p' | sort -u | grep -vxF "$defined" || true)
if [ -n "$undefined" ]; then
  echo "$2 needs symbols that a target without a C library does not have:"
  echo "$undefined"
  exit 1
fi
