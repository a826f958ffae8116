#!/bin/bash
# build.sh FOLDER NAME INPUTS FIRMWARE: firmware for the simulated system of a network that
# `daedalus export MODEL -o FOLDER --cpu rv32imc --name NAME` wrote. INPUTS: the bytes of its inputs, one after the other.
# Needs Debian's gcc-riscv64-unknown-elf and make; daedalus_soc.h comes from the build beside the command `daedalus`.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
firmware=$(cd "$(dirname "$0")" && pwd)
daedalus=$(command -v "${DAEDALUS:-daedalus}") || { echo "build.sh: error: there is no command 'daedalus' on the PATH" >&2; exit 1; }
prefix=$(cd "$(dirname "$daedalus")/.." && pwd)
for headers in "$prefix/isa/generated/include" "$prefix/include" ""; do
  [ ! -e "$headers/daedalus_soc.h" ] || break
done
[ -n "$headers" ] || { echo "build.sh: error: daedalus_soc.h is neither in $prefix/isa/generated/include nor in $prefix/include" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -f "$firmware/Makefile" FIRMWARE="$firmware" HEADERS="$headers" BUILD="$work" EXPORTED="$(cd "$1" && pwd)" NETWORK="$2" \
  INPUTS="$(realpath "$3")" network.elf
mv "$work/network.elf" "$4"
