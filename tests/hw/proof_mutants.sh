#!/bin/bash
# proof_mutants.sh BUILD: plants a bug in a copy of the RTL, one after the other, and runs the proof of hw/formal/prove.sh
# that has to find it. The exit status is 1 where a proof succeeds all the same, or where a bug's place has changed.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?usage: proof_mutants.sh BUILD}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 found=0

mutant() { # PROOF FILE OLD NEW WHAT: the bug is NEW in the place of OLD, which stands once in the file
  rm -rf "$work/rtl"
  cp -r "$source/hw/rtl" "$work/rtl"
  if [ "$(grep -cF -- "$3" "$work/rtl/$2")" -ne 1 ]; then
    echo "$2: '$3' does not stand there once; name the place anew"
    failed=1
    return
  fi
  /usr/bin/python3 -c 'import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text().replace(*sys.argv[2:4]))' \
    "$work/rtl/$2" "$3" "$4"
  if PROVE_RTL=$work/rtl "$source/hw/formal/prove.sh" "$build" tiny "$1" >"$work/out" 2>&1; then
    echo "NOT FOUND by $1: $2 $5"
    failed=1
  elif ! grep -q "prove.sh: $1: not proved" "$work/out" || grep -q "^ERROR: .*rror in\|syntax error" "$work/out"; then
    tail -3 "$work/out"
    failed=1
  else
    found=$((found + 1))
    echo "found by $1: $2 $5"
  fi
}

mutant reset_synchronizer reset_synchronizer.sv " or negedge rst_ni" "" "waits for an edge before it falls"
mutant reset_synchronizer reset_synchronizer.sv "rst_no = released_q[Stages-1]" "rst_no = released_q[0]" "rises an edge early"
mutant loop_nest loop_nest.sv "near_end_q[l] <= left_q[l] == 16'd2;" "near_end_q[l] <= left_q[l] == 16'd3;" \
  "ends a loop an iteration early"
mutant loop_nest loop_nest.sv "deeper_q <= next_i ? deeper : '0;" "deeper_q <= '0;" "does not take inner sums back to their start"
mutant loop_nest loop_nest.sv "moves_q <= next_i ? moves : Innermost;" "moves_q <= moves;" "moves aside by an outer stride"
mutant loop_nest loop_nest.sv "if (!hold_i) first_o <=" "first_o <=" "does not hold first_o"
mutant loop_nest loop_nest.sv "most_q[l] <= counts_i[16*l+:16] - 16'd1;" "most_q[l] <= counts_i[16*l+:16];" \
  "goes an iteration too far from the second time on"
mutant store_segments store_segments.sv "assign room = 13'(Longest) - in_burst;" "assign room = 13'(Longest);" \
  "does not cut the first burst"
mutant store_segments store_segments.sv "end_stretch = {1'b0, run_base_q}" "end_stretch = {1'b0, run_base_q} + 14'd1" \
  "ends a run that fills its burst with an empty one"
mutant store_segments store_segments.sv "stretch & 13'(Longest - 1);" "stretch & 13'(Longest / 2 - 1);" \
  "cuts the first burst at half the longest"
mutant store_segments store_segments.sv "offset_end_q > \$signed({24'd0, base_limit_q})" \
  "offset_end_q >= \$signed({24'd0, base_limit_q})" "refuses the last byte of the limit"
mutant load_segments load_segments.sv "at_q       <= at_q + bytes;" "at_q       <= at_q + 16'(room);" \
  "counts the whole stretch for a fill before the data"
mutant load_segments load_segments.sv "is_data ? fits && !is_fill_after : 1'b1" "is_data ? fits : 1'b1" "loses the fill after the data"
mutant load_segments load_segments.sv "assign left = in_data_q ? left_q : data;" "assign left = is_first_q ? data : left_q;" \
  "takes a stale rest behind a fill"
mutant load_segments load_run.sv "y_i[15:0] < load_i.extent_y" "y_i[15:0] <= load_i.extent_y" "takes the row behind the extent"
mutant load_segments load_run.sv "run_less_i[12:0] :" "run_less_i[12:0] + 13'd1 :" "cuts data that ends with its burst"
mutant load_segments load_run.sv "whole = x <= spare_i ||" "whole = x < spare_i ||" "ends a run that fills the row with an empty fill"
mutant load_segments load_run.sv "(x_i[55:16] == '0 || x_i[55:16] == '1)" "1'b1" "takes a far column for a near one"
mutant load_segments load_segments.sv "if (flags_move && (last_run || !moves_q)) with_flags_q <= 1'b0;" \
  "if (flags_move && last_run) with_flags_q <= 1'b0;" "repeats MARK for each run"
mutant shown_queue shown_queue.sv "assign room_o = count_q != Bits'(Places);" "assign room_o = 1'b1;" "takes more than it has places for"
mutant shown_queue shown_queue.sv "next_o = waits ? waiting[read_q] : data_i;" "next_o = data_i;" "shows the newest first"
mutant vector_requant vector_requant.sv "i < Near + 8 * (k + 1)" "i < Near + 8 * k + 7" "overlooks a bit far above the quotient"
mutant vector_requant vector_requant.sv "far_eights_q || |beyond" "far_eights_q" "forgets what the shift by ones leaves above the quotient"
mutant vector_requant vector_requant.sv "!from_eights[k];" "!from_eights[k] && !from_eights[k+1];" "forgets a byte behind the guard"
mutant counter_bank counter_bank.sv "writes_q && row_q == select_i ? next" "1'b0 ? next" \
  "shows a row that is being written as it was"
mutant registers base_table.sv "limits[write_row_i]" "limits[{1'b0, write_row_i[2:0]}]" "takes base register 15 for 7"

echo "$found planted bugs found"
exit $failed
