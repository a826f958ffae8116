#!/bin/bash
# netlist_test.sh BUILD [PROGRAMS]: the netlist of `tiny` that pnr.py places, with models of an ECP5's cells, runs random programs
# (200) in lockstep with its RTL and with systemc; a netlist with another LUT does not.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
build=$(cd "${1:?usage: netlist_test.sh BUILD [PROGRAMS]}" && pwd)
export DAEDALUS_NETLIST_PROGRAMS=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # NAME [MUTANT]: the programs on a model with the netlist
  mkdir "$work/$1"
  /usr/bin/python3 "$here/beside.py" "$source/hw/rtl" "$build/fpga/tiny/gates.v" "$work/$1/rtl" "${@:2}"
  "$build/bin/verilate" tiny "$work/$1" "$work/$1/path" "$work/$1/rtl"
  DAEDALUS_NETLIST_MODEL=$(cat "$work/$1/path") "$build/bin/netlist_test"
}

"$source/hw/fpga/pnr.py" "$build" --no-place > /dev/null
run right
run wrong 1000 > "$work/out" 2>&1 && { echo "a netlist with another LUT agrees"; exit 1; }
grep -m 1 "the netlist" "$work/out"
