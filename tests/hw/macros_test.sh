#!/bin/bash
# macros_test.sh BUILD: with the memory that hw/asic/macros.py writes, cells and flip-flops, scratchpads still hold what was
# written last (hw_formal's proof); a cell whose pins are crossed is found; lists that are wrong are refused in a sentence.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:?usage: macros_test.sh BUILD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pins='pins: {clk: clock, we: write, wa: write_row, wd: write_data, wm: enable, re_n: "!read", ra: read_row, rd: read_data}'
cell() { # NAME ROWBITS
  printf 'module %s (input clk, we, re_n, input [%d:0] wa, ra, input [15:0] wd, input [1:0] wm, output reg [15:0] rd);\n' "$1" $(($2 - 1))
  printf '  reg [15:0] mem [%d];\n  always @(posedge clk) begin\n    if (!re_n) rd <= mem[ra];\n' $((1 << $2))
  printf '    if (we && wm[0]) mem[wa][7:0] <= wd[7:0];\n    if (we && wm[1]) mem[wa][15:8] <= wd[15:8];\n  end\nendmodule\n'
}
proves() { # LIST: whether the scratchpads hold with the memory of this list
  cp -r "$source/hw/rtl" "$work/rtl"
  { /usr/bin/python3 -B "$source/hw/asic/macros.py" "$1"; cell small 1; cell large 2; } >"$work/rtl/ram_1r1w.sv"
  PROVE_RTL=$work/rtl "$source/hw/formal/prove.sh" "$build" tiny scratchpad >"$work/out" 2>&1 && status=0 || status=1
  rm -r "$work/rtl"
  return $status
}
cells='cells: [{rows: 2, bytes: 2, cell: small}, {rows: 4, bytes: 2, cell: large}]'
printf '%s\n' "$pins" "$cells" >"$work/list.yaml"
proves "$work/list.yaml" || { tail -5 "$work/out"; echo "not proved with cells"; exit 1; }
sed 's/"!read"/read/' "$work/list.yaml" >"$work/crossed.yaml"
! proves "$work/crossed.yaml" || { echo "a read that is inverted is not found"; exit 1; }

refused() { # SENTENCE LINE...: a list of these lines is refused with the sentence
  local wanted=$1
  shift
  printf '%s\n' "$@" >"$work/bad.yaml"
  ! /usr/bin/python3 -B "$source/hw/asic/macros.py" "$work/bad.yaml" >"$work/text" 2>"$work/error" || { echo "taken: $*"; exit 1; }
  [ ! -s "$work/text" ] && grep -qF "$wanted" "$work/error" || { echo "for '$*' expected '$wanted', got:"; cat "$work/error"; exit 1; }
}
refused "'bytes' of a cell is 0; expected a number of at least 1" "$pins" 'cells: [{rows: 4, bytes: 0, cell: a}]'
refused "'a' and 'b' have 4 rows of 2 bytes each" "$pins" 'cells: [{rows: 4, bytes: 2, cell: a}, {rows: 4, bytes: 2, cell: b}]'
refused "pin 'x' takes 'address'; expected one of clock, write," 'pins: {x: address, q: read_data}' 'cells: []'
refused "no pin gives 'read_data'" 'pins: {clk: clock}' 'cells: []'
refused "'2x' is no name of a cell" "$pins" 'cells: [{rows: 4, bytes: 2, cell: 2x}]'
refused "expected the two keys 'pins' and 'cells'" 'pins: {clk: clock}'
refused "is no YAML" 'pins: {'
rm "$work/bad.yaml"
! /usr/bin/python3 -B "$source/hw/asic/macros.py" "$work/bad.yaml" 2>"$work/error" || exit 1
grep -qF "cannot read $work/bad.yaml" "$work/error" || { cat "$work/error"; exit 1; }
echo "scratchpads hold with cells and flip-flops; 8 bad lists are refused"
