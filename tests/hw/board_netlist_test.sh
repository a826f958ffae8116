#!/bin/bash
# board_netlist_test.sh BUILD [whole]: the netlist of the board without the accelerator, as pnr.py maps it, simulated with models of an
# ECP5's cells: memory and broken commands over the UART. whole: the netlist with the accelerator, on which the host program runs
# digits, with the bytes and the cycles of systemc; that takes half an hour. A bit of the UART takes 4 cycles.
set -euo pipefail
build=$(cd "${1:?usage: board_netlist_test.sh BUILD [whole]}" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
fpga=$tests/../../hw/fpga
settings=(Divider=4 SilenceBits=1000)
case ${2:-} in
  whole) run=(Host.test_1_digits) ;;
  '') settings=(Accelerator=0 "${settings[@]}") run=(Commands.test_2_memory Commands.test_3_broken_commands) ;;
  *) echo "board_netlist_test.sh: error: '$2' is not 'whole'" >&2; exit 1 ;;
esac
folder=$build/fpga/board_of_tiny$(printf '_%s' "${settings[@]}")
/usr/bin/python3 -B "$fpga/pnr.py" "$build" --board --no-place "${settings[@]/#/--set=}"
"$fpga/board/verilate.sh" "$build" tiny "$folder/simulation" "$folder/gates.v" 4
"$folder/simulation" /usr/bin/python3 -B "$tests/board_test.py" "$build" PORT "${run[@]}"
