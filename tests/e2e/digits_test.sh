#!/bin/bash
# The digits example on every engine, machine and target: identical logits, accuracy at least 0.97.
. "$(dirname "$0")/cli_lib.sh"
example=$source/examples/digits

digits() { # NAME CYCLES ARGUMENTS...: CYCLES is "counted" or "none"
  local name=$1 cycles=$2
  shift 2
  ok "$example/run.sh" "$@" --output "$name.npy"
  tail -n 1 "$work.out" | grep -Eq '^accuracy [01]\.[0-9]{4} cycles [0-9]+$' ||
    fail "the last line of $name is '$(tail -n 1 "$work.out")'"
  tail -n 1 "$work.out" | awk '{exit !($2 >= 0.97)}' || fail "the accuracy of $name is too low"
  tail -n 1 "$work.out" | awk -v counted="$cycles" '{exit !((counted == "counted") == ($4 > 0))}' ||
    fail "the cycles of $name should be $cycles"
  [ -e expected.npy ] || cp "$name.npy" expected.npy
  same expected.npy "$name.npy"
}

digits cpu none --target cpu
for machine in default vta tiny large; do
  digits "functional-$machine" none --engine functional --machine "$machine"
  digits "systemc-$machine" counted --engine systemc --machine "$machine"
done

# The hardware itself, also of a machine that is not in the tree: the same logits, and the same cycles as systemc,
# for the network and for every instruction.
export DAEDALUS_CACHE=$PWD/cache
for machine in default vta tiny large "$source/tests/machines/outside.yaml"; do
  digits "rtl-$(basename "$machine")" counted --engine rtl --machine "$machine"
  rtl=$(tail -n 1 "$work.out")
  ok "$example/run.sh" --engine systemc --machine "$machine"
  [ "$rtl" = "$(tail -n 1 "$work.out")" ] || fail "rtl says '$rtl', systemc '$(tail -n 1 "$work.out")' on $machine"
  ok "$DAEDALUS" cosim "$example/digits.onnx" --machine "$machine"
done
[ "$(head -c 128 expected.npy | grep -c "'descr': '|i1'.*'shape': (400, 10)")" -eq 1 ] || fail "the logits are not int8 [400, 10]"
"$example/run.sh" --nonsense >/dev/null 2>&1
[ $? -eq 2 ] || fail "run.sh takes an unknown argument"
finish
