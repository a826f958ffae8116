#!/bin/bash
# synthesize.sh BUILD [MACHINE]: synthesizes the RTL for a machine (tiny by default) with yosys down to its gates and
# memories, refuses latches and combinational loops, and prints cells and memories.
set -eu
hw=$(cd "$(dirname "$0")/.." && pwd)
sv=${1:?usage: synthesize.sh BUILD [MACHINE]}/isa/generated/sv
machine=${2:-tiny}
report=$(mktemp)
trap 'rm -f "$report"' EXIT
yosys -q -l "$report" -p "
  read_verilog -sv -DSYNTHESIS $sv/daedalus_isa_pkg.sv $sv/machines/$machine/daedalus_machine_pkg.sv \
    $hw/rtl/daedalus_pkg.sv $(ls "$hw"/rtl/*.sv | grep -v _pkg.sv | tr '\n' ' ')
  hierarchy -check -top daedalus
  proc; flatten; opt -fast; memory -nomap; opt_clean
  check -assert
  select -assert-none t:\$dlatch t:\$_DLATCH_*
  scc -select; select -assert-none %; select -clear
  tee -o $report.stat stat" > /dev/null || { tail -5 "$report" >&2; exit 1; }
echo "machine $machine: no latch, no combinational loop"
grep -E 'Number of (cells|memories|memory bits|processes)|\$(mem|mul|add|dff|adff|mux|alu)' "$report.stat" || cat "$report.stat"
rm -f "$report.stat"
