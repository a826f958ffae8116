#!/bin/bash
# daedalus profile: of every network each cycle counts once, on both engines alike; and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
models=$(dirname "$daedalus")/../models
checks() { # ARGUMENTS...
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$source/tests/e2e/profile_checks.py" "$@" >"$work.out" 2>&1 ||
    fail "profile_checks.py $*: $(tail -n 1 "$work.out")"
}
schema=$source/docs/profile.schema.json
digits=$source/examples/digits/digits.onnx

ok "$DAEDALUS" profile "$digits"
prints '^profile of .*digits.onnx on systemc, machine default: 5,097 cycles$'
prints '^total +5,097 +100.0% '
for engine in systemc rtl; do
  ok "$DAEDALUS" profile "$digits" --engine $engine --instructions -o $engine.json
  checks "$schema" $engine.json
done
checks --same systemc.json rtl.json
ok "$DAEDALUS" profile "$digits" --target cpu -o cpu.json
prints 'has no accelerator program'
checks "$schema" cpu.json
ok "$DAEDALUS" profile "$digits" --json
"$DAEDALUS" profile "$digits" -o - >stdout.json 2>"$work.err" || fail "-o -: $(cat "$work.err")"
checks "$schema" stdout.json
if [ -f "$models/made" ]; then
  for engine in systemc rtl; do
    ok "$DAEDALUS" profile "$models/convs/C5.onnx" --engine $engine --instructions -o C5.$engine.json
    checks "$schema" C5.$engine.json
  done
  checks --same C5.systemc.json C5.rtl.json
  for model in "$models"/networks/*.onnx; do
    ok "$DAEDALUS" profile "$model" -o network.json
    checks "$schema" network.json
  done
fi

refuses 2 "'functional' counts no cycles|functional counts no cycles" "$DAEDALUS" profile "$digits" --engine functional
refuses 2 'there is no table of them' "$DAEDALUS" profile "$digits" --instructions
refuses 1 'nowhere.onnx' "$DAEDALUS" profile nowhere.onnx
refuses 1 "nowhere.npy" "$DAEDALUS" profile "$digits" --input image=nowhere.npy
refuses 1 'no/such/folder' "$DAEDALUS" profile "$digits" -o no/such/folder/p.json
refuses 1 'an input of this command|would overwrite|input' "$DAEDALUS" profile "$digits" -o "$digits"
ok "$DAEDALUS" compile "$digits" -o digits.dae
refuses 2 'was compiled for its target' "$DAEDALUS" profile digits.dae --target cpu
finish
