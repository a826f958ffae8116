#!/bin/bash
# The engine rtl from the command line: waves, machines outside the tree, a divergence with its program, and what a
# user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx
image=image=$source/tests/models/image.npy
outside=$source/tests/machines/outside.yaml

# Waves: their time is two steps a cycle; the window alone is in the file (FST's header: start and end time).
times() { od -An -j 9 -N 16 --endian=big -t u8 "$1" | tr -s ' '; }
ok "$DAEDALUS" run "$model" --machine tiny --engine rtl --input "$image" --waves all.fst
ok "$DAEDALUS" run "$model" --machine tiny --engine rtl --input "$image" --waves some.fst --window 100:300
set -- $(times some.fst)
[ $(($2 - $1)) -eq 401 ] || fail "the window 100:300 has the times $1 to $2"
set -- $(times all.fst)
[ $(($2 - $1)) -gt 2000 ] || fail "the waves of the whole run have the times $1 to $2"
refuses 2 "needs --engine rtl, not systemc" "$DAEDALUS" run "$model" --input "$image" --waves w.fst
refuses 2 "'9:3'; expected A:B" "$DAEDALUS" run "$model" --engine rtl --input "$image" --waves w.fst --window 9:3
refuses 2 "'x'; expected A:B" "$DAEDALUS" run "$model" --engine rtl --input "$image" --waves w.fst --window x
refuses 2 "needs --waves" "$DAEDALUS" run "$model" --engine rtl --input "$image" --window 1:2
refuses 1 "cannot write 'no/w.fst'" "$DAEDALUS" run "$model" --machine tiny --engine rtl --input "$image" \
  --waves no/w.fst

# What cosim takes.
refuses 2 "two different engines" "$DAEDALUS" cosim --engines rtl,rtl
refuses 2 "two different engines" "$DAEDALUS" cosim --engines rtl
refuses 2 "verilog" "$DAEDALUS" cosim --engines systemc,verilog
refuses 1 "no machine 'big'" "$DAEDALUS" cosim --machine big
refuses 2 "gone.onnx" "$DAEDALUS" cosim gone.onnx
refuses 2 "nowhere" "$DAEDALUS" cosim --output nowhere
refuses 2 "cannot be combined" "$DAEDALUS" cosim "$model" --replay "$model"
printf '#: sede 1\n' >garbage.s
refuses 1 "garbage.s:1: found '#: sede 1'" "$DAEDALUS" cosim --replay garbage.s
refuses 1 "image.npy" "$DAEDALUS" cosim "$source/tests/models/image.npy"
ok "$DAEDALUS" cosim --programs 5 --machine tiny --json
prints '"divergences": 0'
ok "$DAEDALUS" cosim "$model" --machine tiny --engines functional,rtl
prints '1 programs, [1-9][0-9]* instructions, [1-9][0-9]* cycles, 0 divergences'

# A machine that is not in the tree is compiled once.
mkdir -m 700 cache
export DAEDALUS_CACHE=$PWD/cache
ok "$DAEDALUS" cosim --programs 3 --machine "$outside"
grep -q "compiling the RTL of machine" "$work.err" || fail "the first use says nothing: $(cat "$work.err")"
ok "$DAEDALUS" cosim --programs 3 --machine "$outside"
[ ! -s "$work.err" ] || fail "the second use says '$(cat "$work.err")'"
refuses 1 "verilator is not installed: install the Debian packages" \
  env PATH=/nonexistent DAEDALUS_CACHE="$PWD/empty" "$DAEDALUS" cosim --machine "$outside"
refuses 1 "are not in '/nonexistent': set DAEDALUS_HW" \
  env DAEDALUS_HW=/nonexistent "$DAEDALUS" cosim --machine tiny
touch file
DAEDALUS_CACHE=$PWD/file "$DAEDALUS" cosim --machine "$outside" >"$work.out" 2>"$work.err" </dev/null
grep -q "cannot write to '$PWD/file" "$work.err" || fail "a cache that is a file: $(cat "$work.err")"

# Hardware with a bug: found, shrunk, written down, and found again in the program; the right hardware is not.
cp -r "$source/hw" hw
sed -i 's/row_q\[0\]    <= acc_presented/row_q[0]    <= acc_presented ^ 16'"'"'d1/' hw/rtl/gemm.sv
cmp -s hw/rtl/gemm.sv "$source/hw/rtl/gemm.sv" && fail "the bug is not planted: gemm.sv has changed"
DAEDALUS_HW=$PWD/hw "$DAEDALUS" cosim --machine tiny --programs 200 >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "the bug is not found: $(cat "$work.out" "$work.err")"
prints "^first divergence, cycle [0-9]+: "
prints "^  instruction [0-9]+ of gemm: gemm "
prints "^  acc row [0-9]+, lane [0-9]+ "
prints "^  last events of systemc:"
prints "1 divergence$"
kept=$(ls cosim-tiny-*.s)
[ "$(grep -vc '^[#.]' "$kept")" -le 12 ] || fail "the program has $(grep -vc '^[#.]' "$kept") lines"
DAEDALUS_HW=$PWD/hw "$DAEDALUS" cosim --replay "$kept" >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "the bug is not found again: $(cat "$work.out" "$work.err")"
ok "$DAEDALUS" cosim --replay "$kept"
prints "0 divergences"
# On a machine outside the tree the command that is printed, and written into the program, names its file.
sed 's/read_latency: 32/read_latency: 40/' "$source/isa/machines/tiny.yaml" >far.yaml
DAEDALUS_HW=$PWD/hw "$DAEDALUS" cosim --machine far.yaml --programs 200 >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "the bug is not found on far.yaml: $(cat "$work.out" "$work.err")"
again=$(sed -n "s/^the program is in '.*'; again: daedalus //p" "$work.out")
case $again in
  "cosim --replay ./cosim-far-"*".s --machine far.yaml") ;;
  *) fail "the command to repeat it is '$again'" ;;
esac
grep -q "^# daedalus $again$" cosim-far-*.s || fail "the program says '$(head -n 1 cosim-far-*.s)'"
DAEDALUS_HW=$PWD/hw "$DAEDALUS" $again >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "'daedalus $again' does not find the bug again: $(cat "$work.out" "$work.err")"
ok "$DAEDALUS" $again
prints "0 divergences"
refuses 1 "is for another machine than 'vta'" "$DAEDALUS" cosim --replay "$kept" --machine vta

# As synthesis reads it: registers of data that are not valid load them.
cp -r "$source/hw" synthesis
sed -i "s/LoadsInvalid = 1'b0/LoadsInvalid = 1'b1/" synthesis/rtl/daedalus_pkg.sv
cmp -s synthesis/rtl/daedalus_pkg.sv "$source/hw/rtl/daedalus_pkg.sv" && fail "nothing is to be changed: daedalus_pkg.sv has"
ok env DAEDALUS_HW="$PWD/synthesis" "$DAEDALUS" cosim --machine tiny --programs 500
prints "0 divergences"

echo "nonsense" >>hw/rtl/gemm.sv
DAEDALUS_HW=$PWD/hw "$DAEDALUS" cosim --machine tiny >"$work.out" 2>"$work.err" </dev/null
[ $? -eq 1 ] || fail "RTL that is none exits with another status than 1"
log=$(sed -n 's/.*could not be compiled; \(.*\) says why.*/\1/p' "$work.err")
grep -q "gemm.sv" "$log" || fail "the log does not name gemm.sv: $(cat "$work.err")"
finish
