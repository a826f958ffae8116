#!/bin/bash
# board_memory_test.sh BUILD: board_memory.sv in random traffic (board_memory.cpp); and three copies with a mistake each, which it
# has to find.
set -euo pipefail
build=$(cd "${1:?usage: board_memory_test.sh BUILD}" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
hw=$tests/../../hw
sv=$build/isa/generated/sv
include=$(verilator --getenv VERILATOR_ROOT)/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile=("${CXX:-g++}" -std=c++17 -O1 -I"$include" -I"$include/vltstd" -pthread)
for name in verilated verilated_threads; do
  "${compile[@]}" -c -o "$work/$name.o" "$include/$name.cpp"
done

# run SOURCE: the traffic with this source of board_memory.
run() {
  local folder
  folder=$(mktemp -d "$work/XXXXXX")
  verilator --cc -O3 --assert -Wno-fatal --top-module board_memory -GBytes=8192 -GReads=4 -GWrites=2 --Mdir "$folder" \
    "$sv/machines/tiny/daedalus_machine_pkg.sv" "$hw/rtl/ram_1r1w.sv" "$hw/fpga/board/burst_queue.sv" "$1"
  "${compile[@]}" -I"$folder" -o "$folder/program" "$folder"/*.cpp "$tests/board_memory.cpp" "$work"/verilated*.o
  "$folder/program"
}

source=$hw/fpga/board/board_memory.sv
run "$source"
number=0
while IFS='|' read -r old new; do
  copy=$work/$((number += 1)).sv
  python3 -c 'import sys; text = sys.stdin.read(); assert sys.argv[1] in text, sys.argv[1]; sys.stdout.write(text.replace(*sys.argv[1:], 1))' \
    "$old" "$new" < "$source" > "$copy"
  if run "$copy" > "$work/log" 2>&1; then
    echo "board_memory_test.sh: error: the traffic does not find '$new' in the place of '$old'" >&2
    exit 1
  fi
  echo "found '$new' in the place of '$old': $(grep -m 1 'cycle\|Error:' "$work/log")"
done <<'END'
write_valid && !meets|write_valid
address >= 64'(Bytes)|address > 64'(Bytes)
&& !(ram_reads && read_row == host_row)|
END
