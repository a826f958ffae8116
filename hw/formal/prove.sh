#!/bin/bash
# prove.sh BUILD [MACHINE [MODULE]]: proves with yosys, for a machine (tiny by default), by induction over time:
#   registers_properties.sv      the register port, for every host
#   write_channel_properties.sv  addresses, beats and responses of write bursts, for every memory
#   read_channel_properties.sv   read bursts and the owners of their beats, for every memory
#   scratchpad_properties.sv     a scratchpad holds what was written last, whatever the rows of its banks
#   counter_bank_properties.sv   a counter shows in every cycle how often its class has counted since the last clear
#   fetch_properties.sv          the program's limit, for every program
#   loop_nest_properties.sv      flags and sums of loops, against counters and products (golden/loop_nest_golden.sv)
#   shown_queue_properties.sv    segments are shown in order
#   store_segments_properties.sv STORE's segments, cut by whole numbers (golden/segments_golden.sv)
#   reset_synchronizer_properties.sv  the release of a reset, for every clock and reset
#   vector_requant_properties.sv rounding in short sums, against one of 64 bits (golden/requant_golden.sv)
# MODULE: its properties alone. Here a read that meets a write of its row finds the old row, so that what memories hold is
# seen in every cycle.
# With PROVE_LONG, also, for two minutes:
#   load_segments_properties.sv  LOAD's segments
#   vector_requant_properties.sv for each shift from 1 to 62, not for every seventh and the ends of words alone
# OutstandingWrites of the machine is a power of two. PROVE_RTL=DIR takes the RTL from elsewhere.
set -eu
hw=$(cd "$(dirname "$0")/.." && pwd)
sv=${1:?usage: prove.sh BUILD [MACHINE [MODULE]]}/isa/generated/sv
machine=${2:-tiny}
only=${3:-}
rtl=${PROVE_RTL:-$hw/rtl}
packages="$sv/daedalus_isa_pkg.sv $sv/machines/$machine/daedalus_machine_pkg.sv $rtl/daedalus_pkg.sv"
report=$(mktemp)
trap 'rm -f "$report"' EXIT

# prove NAME STEPS [MODULE...]: NAME_properties.sv over NAME.sv and the modules in it, by induction of at most so many
# steps. A signal inside_X of the properties is the register X of the module, inside_X_3 its X[3], held_X_3
# row 3 of its memory X.
# GOLDEN: modules of golden, of what NAME stands for.
# CLOCKS=clk2fflogic: clocks and resets are signals that change in steps of a finer time.
# For each value of CASES the input CASE has it in all cycles; without them there is one proof.
prove() {
  local names registers rows sources module value proofs=
  [ -z "$only" ] || [ "$only" = "$1" ] || return 0
  sources=$(for module in "$1" "${@:3}"; do echo "$rtl/$module.sv"; done
    for module in ${GOLDEN:-}; do echo "$hw/formal/golden/$module.sv"; done)
  for value in ${CASES:-any}; do
    proofs+="sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps $2 ${CASES:+-set $CASE $value}; "
  done
  names=$(grep -oE '\b(inside|held)_[a-z_0-9]*' "$hw/formal/$1_properties.sv" | sort -u)
  registers=$(sed -n 's/^inside_\(.*\)/connect -nomap -nounset -set & u_dut.\1;/p' <<<"$names" | sed 's/_\([0-9]*\);$/[\1];/')
  rows=$(sed -n 's/^held_\(.*\)_\([0-9]*\)$/connect -nomap -nounset -set & u_dut.\1[\2];/p' <<<"$names")
  yosys -q -l "$report" -p "
    read_verilog -sv -formal -DSYNTHESIS $packages ${sources//$'\n'/ } $hw/formal/$1_properties.sv
    hierarchy -check -top $1_properties
    setattr -unset no_rw_check */m:*
    proc -noopt; flatten; cd $1_properties; $registers cd; opt -fast; memory; cd $1_properties; $rows cd
    opt -fast; ${CLOCKS:-async2sync}; dffunmap; opt -fast
    cd $1_properties; $proofs" > /dev/null \
    || { grep -vE '^ *$' "$report" | tail -40 >&2; echo "prove.sh: $1: not proved" >&2; return 1; }
  echo "$1: proved, $(grep -c 'assert' "$hw/formal/$1_properties.sv") assertions"
}

prove registers 3 base_table
CLOCKS=clk2fflogic prove reset_synchronizer 6
prove write_channel 3
prove read_channel 3
prove scratchpad 4 ram_1r1w
prove counter_bank 3
prove fetch 3
GOLDEN=loop_nest_golden prove loop_nest 3
prove shown_queue 3
if [ -n "${PROVE_LONG:-}" ] || [ "$only" = load_segments ]; then
  GOLDEN="segments_golden loop_nest_any" prove load_segments 1 load_run delay shown_queue
fi
GOLDEN="segments_golden loop_nest_any" prove store_segments 2 delay shown_queue
shifts="1 2 8 15 16 22 29 31 32 33 36 43 50 57 61 62"
[ -z "${PROVE_LONG:-}" ] || shifts=$(seq -s ' ' 62)
GOLDEN=requant_golden CASE=shift_i CASES=$shifts prove vector_requant 6
