#!/bin/bash
# board_netlist_test.sh BUILD: the netlist of the board without the accelerator, as pnr.py maps it, simulated with models of an ECP5's
# cells: memory and broken commands over the UART.
set -euo pipefail
build=$(cd "${1:?usage: board_netlist_test.sh BUILD}" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
fpga=$tests/../../hw/fpga
folder=$build/fpga/board_of_tiny_Accelerator=0_Divider=4_SilenceBits=1000
/usr/bin/python3 -B "$fpga/pnr.py" "$build" --board --no-place --set Accelerator=0 --set Divider=4 --set SilenceBits=1000
"$fpga/board/verilate.sh" "$build" tiny "$folder/simulation" "$folder/gates.v" 4
"$folder/simulation" /usr/bin/python3 -B "$tests/board_test.py" "$build" PORT Commands.test_2_memory Commands.test_3_broken_commands
