#!/bin/bash
# lint.sh BUILD [MACHINE...]: Verilator's lint with all warnings over the RTL, for each machine (all of the tree by
# default). Waivers, each with its reason: waivers.vlt and comments in the sources.
set -u
hw=$(cd "$(dirname "$0")/.." && pwd)
sv=${1:?usage: lint.sh BUILD [MACHINE...]}/isa/generated/sv
shift
[ $# -gt 0 ] || set -- $(ls "$sv/machines")
status=0
for machine in "$@"; do
  verilator --lint-only -Wall --assert --top-module daedalus_axi "$hw/lint/waivers.vlt" "$sv/daedalus_isa_pkg.sv" \
    "$sv/machines/$machine/daedalus_machine_pkg.sv" "$hw/rtl/daedalus_pkg.sv" -y "$hw/rtl" "$hw/rtl/daedalus_axi.sv" \
    && echo "lint of $machine: no warning" || status=1
done
exit $status
