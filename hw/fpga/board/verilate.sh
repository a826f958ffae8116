#!/bin/bash
# verilate.sh BUILD MACHINE PROGRAM [NETLIST DIVIDER]: the simulation of board.sv (simulation.cpp) with a machine of the build
# folder, as a program. A bit of its UART takes 4 cycles, and 1000 bits of silence end a broken command. NETLIST: the gates.v that
# pnr.py --board writes is simulated instead, with models of an ECP5's cells; DIVIDER is that of its board.
set -euo pipefail
[ $# -eq 3 ] || [ $# -eq 5 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) machine=$2 program=$(realpath "$3") divider=${5:-4}
board=$(cd "$(dirname "$0")" && pwd)
hw=$(cd "$board/../.." && pwd)
sv=$build/isa/generated/sv
[ -d "$sv/machines/$machine" ] || { echo "verilate.sh: error: there is no machine '$machine' in $sv/machines; expected one of $(cd "$sv/machines" && echo *)" >&2; exit 1; }
work=$(mktemp -d "$program.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ $# -eq 5 ]; then
  /usr/bin/python3 -B -c 'import pathlib, sys; sys.path.insert(0, sys.argv[1]); import netlist_models
netlist_models.write(pathlib.Path(sys.argv[2]))' "$board/.." "$work/cells.sv"
  sources=(-Wno-lint "$4" "$work/cells.sv")
else
  sources=("-GDivider=$divider" -GSilenceBits=1000 "$hw/lint/waivers.vlt" "$sv/daedalus_isa_pkg.sv"
    "$sv/machines/$machine/daedalus_machine_pkg.sv" "$hw/rtl/daedalus_pkg.sv" -y "$hw/rtl" -y "$board" "$board/board.sv")
fi
verilator --cc -O3 --assert --x-assign unique --x-initial unique -Wno-fatal --output-split 20000 --top-module board \
  --Mdir "$work" "${sources[@]}"
include=$(verilator --getenv VERILATOR_ROOT)/include
launcher=$(command -v ccache || true)
compile="$launcher ${CXX:-g++} -std=c++17 -O2 -fno-stack-protector -DDIVIDER=$divider -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -I. -I$include -I$include/vltstd -c"
cd "$work"
printf '%s\n' *.cpp "$include/verilated.cpp" "$include/verilated_threads.cpp" "$board/simulation.cpp" | xargs -P "$(nproc)" -n 1 $compile
${CXX:-g++} -pthread -o program *.o
mv program "$program"
