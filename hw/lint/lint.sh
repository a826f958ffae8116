#!/bin/bash
# lint.sh BUILD [MACHINE...]: Verilator's lint with all warnings over the RTL and the FPGA board, for each machine (all of the tree by
# default). Waivers, each with its reason: waivers.vlt and comments in the sources.
set -u
hw=$(cd "$(dirname "$0")/.." && pwd)
sv=${1:?usage: lint.sh BUILD [MACHINE...]}/isa/generated/sv
shift
[ $# -gt 0 ] || set -- $(ls "$sv/machines")
clean=0
for machine in "$@"; do
  for top in "$hw/rtl/daedalus_axi.sv" "$hw/fpga/board/board.sv"; do
    verilator --lint-only -Wall --assert --top-module "$(basename "$top" .sv)" "$hw/lint/waivers.vlt" "$sv/daedalus_isa_pkg.sv" \
      "$sv/machines/$machine/daedalus_machine_pkg.sv" "$hw/rtl/daedalus_pkg.sv" -y "$hw/rtl" -y "$hw/fpga/board" "$top" || continue 2
  done
  echo "lint of $machine: no warning"
  ((clean += 1))
done
[ "$clean" -eq $# ]
