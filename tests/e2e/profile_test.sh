#!/bin/bash
# daedalus profile: of every network each cycle counts once, on both engines alike, in profiles and in traces; and what a
# user may get wrong. Pages of reports hold the same JSON; the nightly run looks at them in a browser.
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
prints '^profile of .*digits.onnx on systemc, machine default: 5,074 cycles, at least [0-9],[0-9]{3} with any schedule$'
prints '^total +5,074 +100.0% '
ok "$DAEDALUS" profile "$digits" --sort path --top 3
prints '^head/conv \+ head/relu .* bus +17.2% '
prints '^\(6 others\) '
prints '^total +5,074 +100.0% '
ok "$DAEDALUS" profile "$digits" --wide
prints '^ONNX node +target .*of that .*load busy '
ok "$DAEDALUS" profile "$digits" --energy
prints '^ONNX node .*energy uJ \(estimated\)'
prints '^Energy is estimated by Horowitz, ISSCC 2014, 45 nm, without clocks and leakage.$'
ok "$DAEDALUS" profile "$digits" --energy-table "$source/compiler/lib/Report/Energy/45nm.yaml" -o energy.json
checks profile "$schema" energy.json
proto=$source/compiler/lib/Report/Trace/trace.proto
for engine in systemc rtl; do
  ok "$DAEDALUS" profile "$digits" --engine $engine --instructions -o $engine.json --trace $engine.pftrace
  checks profile "$schema" $engine.json
done
checks profile --same systemc.json rtl.json
checks trace "$proto" systemc.pftrace
for engine in systemc rtl; do
  ok "$DAEDALUS" profile "$digits" --engine $engine --waves $engine.vcd
done
ok "$DAEDALUS" profile "$digits" --waves window.vcd --window 1000:2000
checks waves "$source/simulator/waves.gtkw" systemc.vcd window.vcd 1000 2000 systemc.json
cmp systemc.vcd rtl.vcd || fail "the waves of digits on systemc and rtl differ"
cmp systemc.pftrace rtl.pftrace || fail "the traces of digits on systemc and rtl differ"
ok "$DAEDALUS" profile "$digits" --what-if
prints '^a memory that answers at once +[0-9,]+ +4,288 +[0-9,]+ +[0-9.]+%$'
prints '^Most would be saved by a memory that answers at once: [0-9.]+% of the cycles.$'
prints '^There is no machine with twice the bytes of a beat: .*bus_bytes'
ok "$DAEDALUS" compile "$digits" -o whatif.dae
ok "$DAEDALUS" profile whatif.dae --what-if
prints '^a memory that answers at once +[0-9,]+ +4,288 +- +84.5%$'
ok "$DAEDALUS" profile "$digits" --target cpu -o cpu.json
prints 'has no accelerator program'
checks profile "$schema" cpu.json
ok "$DAEDALUS" profile "$digits" --instructions --what-if -o page.json --report page.html
checks report page.html page.json
ok "$DAEDALUS" profile "$digits" --target cpu --instructions -o page.json --report page.html
checks report page.html page.json
ok "$DAEDALUS" profile "$digits" --machine large -o large.json
ok "$DAEDALUS" profile --compare systemc.json large.json --report page.html
prints '^total +5,074 +[0-9,]+ +-[0-9,]+ +[0-9.]+%$'
checks report --compare page.html systemc.json large.json
ok "$DAEDALUS" profile "$digits" --dot digits.dot -o graph.json
checks profile "$schema" graph.json
checks graph digits.dot graph.json
"$DAEDALUS" profile "$digits" -o - >stdout.json 2>"$work.err" || fail "-o -: $(cat "$work.err")"
checks profile "$schema" stdout.json
if [ -f "$models/made" ]; then
  for engine in systemc rtl; do
    ok "$DAEDALUS" profile "$models/convs/C5.onnx" --engine $engine --instructions -o C5.$engine.json
    checks profile "$schema" C5.$engine.json
  done
  checks profile --same C5.systemc.json C5.rtl.json
  for model in "$models"/networks/*.onnx; do # packages, which are not compiled again
    ok "$DAEDALUS" compile "$model" -o network.dae
    ok "$DAEDALUS" profile network.dae --what-if -o network.json
    checks profile "$schema" network.json
  done
  ok "$DAEDALUS" profile "$models/networks/resnet50.onnx" --instructions -o page.json --report page.html
  checks report page.html page.json
  ok "$DAEDALUS" profile "$models/networks/resnet18.onnx" --dot resnet18.dot -o graph.json
  checks graph resnet18.dot graph.json
  model=$models/networks/detector.onnx
  ok "$DAEDALUS" profile "$model" -o network.json
  "$DAEDALUS" run "$model" --timing-only --json >run.json || fail "run of $model"
  "$DAEDALUS" compile "$model" --placement --json >placement.json || fail "placement of $model"
  checks profile --layers network.json run.json placement.json
  ok "$DAEDALUS" profile "$models/convs/C5.onnx" --machine vta --what-if
  prints '^twice the bytes of a beat +[0-9,]+ +[0-9,]+ +[0-9,]+ +[0-9.]+%'
fi

refuses 2 '.functional. is unknown; expected systemc or rtl' "$DAEDALUS" profile "$digits" --engine functional
refuses 2 'the table has no instructions' "$DAEDALUS" profile "$digits" --instructions
refuses 2 'which --json and -o - do not print' "$DAEDALUS" profile "$digits" --top 3 --json
refuses 2 "sort: 'weight' is not an order; expected path, over or bytes" "$DAEDALUS" profile "$digits" --sort weight
refuses 2 'top: ' "$DAEDALUS" profile "$digits" --top 0
refuses 2 'trace cannot go to stdout' "$DAEDALUS" profile "$digits" --trace -
refuses 2 'waves cannot go to stdout' "$DAEDALUS" profile "$digits" --waves -
echo "source: me" >table.yaml
refuses 1 "table.yaml: the key 'add_pj' is missing" "$DAEDALUS" profile "$digits" --energy-table table.yaml
refuses 1 'nowhere.yaml' "$DAEDALUS" profile "$digits" --energy-table nowhere.yaml
refuses 2 'window needs --waves' "$DAEDALUS" profile "$digits" --window 1:2
refuses 2 "window is '2:1'" "$DAEDALUS" profile "$digits" --waves w.vcd --window 2:1
refuses 2 'trace and --waves name the same file' "$DAEDALUS" profile "$digits" --waves w --trace w
refuses 2 'the same file' "$DAEDALUS" profile "$digits" -o p --trace p
refuses 2 'report cannot go to stdout' "$DAEDALUS" profile "$digits" --report /dev/stdout
refuses 2 'the same file' "$DAEDALUS" profile "$digits" -o p --report p
refuses 2 'the same file' "$DAEDALUS" profile "$digits" -o p --dot p
refuses 2 'dot cannot go to stdout' "$DAEDALUS" profile "$digits" --dot -
refuses 1 "cannot write 'no/such/folder/p.dot'" "$DAEDALUS" profile "$digits" --dot no/such/folder/p.dot
refuses 2 'the same file' "$DAEDALUS" profile "$digits" --trace p --report p
refuses 2 'needs a model, or --compare' "$DAEDALUS" profile
refuses 2 "'--json' does not go with it" "$DAEDALUS" profile --compare systemc.json large.json --json
refuses 2 "'model' does not go with it" "$DAEDALUS" profile "$digits" --compare systemc.json large.json
refuses 2 'compare' "$DAEDALUS" profile --compare systemc.json
refuses 1 "digits.onnx' is not a profile: it is not JSON" "$DAEDALUS" profile --compare systemc.json "$digits"
refuses 1 "cannot read 'nowhere.json'|nowhere.json" "$DAEDALUS" profile --compare nowhere.json systemc.json
refuses 1 'input' "$DAEDALUS" profile --compare systemc.json large.json --report large.json
refuses 2 'report cannot go to stdout' "$DAEDALUS" profile --compare systemc.json large.json --report -
refuses 1 "cannot write 'no/such/folder/p.html'" "$DAEDALUS" profile "$digits" --report no/such/folder/p.html
refuses 1 'an input of this command|would overwrite|input' "$DAEDALUS" profile "$digits" --report "$digits"
refuses 1 "cannot write 'no/such/folder/p.pftrace'" "$DAEDALUS" profile "$digits" --trace no/such/folder/p.pftrace
refuses 1 'nowhere.onnx' "$DAEDALUS" profile nowhere.onnx
refuses 1 "nowhere.npy" "$DAEDALUS" profile "$digits" --input image=nowhere.npy
refuses 1 'no/such/folder' "$DAEDALUS" profile "$digits" -o no/such/folder/p.json
refuses 1 'an input of this command|would overwrite|input' "$DAEDALUS" profile "$digits" -o "$digits"
ok "$DAEDALUS" compile "$digits" -o digits.dae
refuses 2 'was compiled for its target' "$DAEDALUS" profile digits.dae --target cpu
finish
