#!/bin/bash
# daedalus profile: of every network each cycle counts once, on both engines alike, in profiles and in traces; and what a
# user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
models=$(dirname "$daedalus")/../models
checks() { # SCRIPT ARGUMENTS...
  local script=$1
  shift
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$source/tests/e2e/${script}_checks.py" "$@" >"$work.out" 2>&1 ||
    fail "${script}_checks.py $*: $(tail -n 1 "$work.out")"
}
schema=$source/docs/profile.schema.json
digits=$source/examples/digits/digits.onnx

ok "$DAEDALUS" profile "$digits"
prints '^profile of .*digits.onnx on systemc, machine default: 5,097 cycles$'
prints '^total +5,097 +100.0% '
proto=$source/compiler/lib/Report/Trace/trace.proto
for engine in systemc rtl; do
  ok "$DAEDALUS" profile "$digits" --engine $engine --instructions -o $engine.json --trace $engine.pftrace
  checks profile "$schema" $engine.json
done
checks profile --same systemc.json rtl.json
checks trace "$proto" systemc.pftrace
cmp systemc.pftrace rtl.pftrace || fail "the traces of digits on systemc and rtl differ"
ok "$DAEDALUS" profile "$digits" --what-if
prints '^a memory that answers at once +3,896 +4,456 +87.4%$'
prints '^twice the bytes of a beat: a beat has at most the 16 bytes of a row +- +- +-$'
ok "$DAEDALUS" profile "$digits" --target cpu -o cpu.json
prints 'has no accelerator program'
checks profile "$schema" cpu.json
"$DAEDALUS" profile "$digits" -o - >stdout.json 2>"$work.err" || fail "-o -: $(cat "$work.err")"
checks profile "$schema" stdout.json
if [ -f "$models/made" ]; then
  for engine in systemc rtl; do
    ok "$DAEDALUS" profile "$models/convs/C5.onnx" --engine $engine --instructions -o C5.$engine.json
    checks profile "$schema" C5.$engine.json
  done
  checks profile --same C5.systemc.json C5.rtl.json
  for model in "$models"/networks/*.onnx; do
    ok "$DAEDALUS" profile "$model" --what-if -o network.json
    checks profile "$schema" network.json
  done
  model=$models/networks/detector.onnx
  ok "$DAEDALUS" profile "$model" -o network.json
  "$DAEDALUS" run "$model" --timing-only --json >run.json || fail "run of $model"
  "$DAEDALUS" compile "$model" --placement --json >placement.json || fail "placement of $model"
  checks profile --layers network.json run.json placement.json
  ok "$DAEDALUS" profile "$models/convs/C5.onnx" --machine vta --what-if
  prints '^twice the bytes of a beat +[0-9,]+ +[0-9,]+ +[0-9.]+%'
fi

refuses 2 'functional not in \{systemc,rtl\}' "$DAEDALUS" profile "$digits" --engine functional
refuses 2 'there is no table of them' "$DAEDALUS" profile "$digits" --instructions
refuses 2 'trace is a file of its own' "$DAEDALUS" profile "$digits" --trace -
refuses 2 'the same file' "$DAEDALUS" profile "$digits" -o p --trace p
refuses 1 "cannot write 'no/such/folder/p.pftrace'" "$DAEDALUS" profile "$digits" --trace no/such/folder/p.pftrace
refuses 1 'nowhere.onnx' "$DAEDALUS" profile nowhere.onnx
refuses 1 "nowhere.npy" "$DAEDALUS" profile "$digits" --input image=nowhere.npy
refuses 1 'no/such/folder' "$DAEDALUS" profile "$digits" -o no/such/folder/p.json
refuses 1 'an input of this command|would overwrite|input' "$DAEDALUS" profile "$digits" -o "$digits"
ok "$DAEDALUS" compile "$digits" -o digits.dae
refuses 2 'was compiled for its target' "$DAEDALUS" profile digits.dae --target cpu
finish
