#!/bin/bash
# Placement by price from the command line: calibrations, prices in --placement, and what a user may get wrong. That the
# placement is the cheapest of all says placement_test.cpp.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
cheapest=(--placement-policy cheapest --clock-mhz 100)

# The calibration of this host, which --cpu-calibration takes as well as the cache's folder.
DAEDALUS_CACHE=$work/cache ok "$DAEDALUS" bench --calibrate --repeats 1
prints 'calibrations/.*\.json: .*; half of the kernels that it was fitted to are within [0-9]+% of their time$'
file=$(ls "$work"/cache/calibrations/*.json)
level=$(basename "$file" .json)
DAEDALUS_CACHE=$work/cache ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --placement
prints '^node .*\| price +\| reason'
prints 'price: [0-9.]+ us for all layers and copies where they are; measured: [0-9.]+ us, with cycles of 100 MHz$'
ok "$DAEDALUS" bench --calibrate --repeats 1 --cpu "$level" -o own.json
ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --cpu "$level" --cpu-calibration own.json -o priced.dae

# calibration FILE MICROSECONDS: of a host on which every kind of work costs as much.
calibration() {
  sed -E 's/("[a-z_]+": )[0-9.e+-]+(,?)$/\1'"$2"'\2/; s/"threads": [^,]*/"threads": 1/' own.json >"$1"
}
calibration expensive.json 1000
calibration free.json 0

# Where the CPU is expensive all that the accelerator takes runs there; where it is free, nothing; the road not taken is
# in --placement, and the placement of other policies depends on no calibration.
ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --cpu-calibration expensive.json --placement --json
cp "$work.out" expensive.txt
ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --cpu-calibration free.json --placement
prints '\| cpu +\|.*\| 0\.0 us, not [0-9.]+ us on accelerator +\| is cheaper here, by price$'
ok "$DAEDALUS" compile "$digits" --placement --json
grep '"target"' "$work.out" >first.txt
grep '"target"' expensive.txt | cmp - first.txt || fail "an expensive CPU has other layers than accelerator-first"
ok "$DAEDALUS" compile "$digits" -o a.dae
ok "$DAEDALUS" compile "$digits" --clock-mhz 100 --cpu-calibration free.json -o b.dae
same a.dae b.dae
ok "$DAEDALUS" info priced.dae
ok "$DAEDALUS" bench targets "$digits" "${cheapest[@]}" --cpu-calibration free.json --repeat 1
prints 'classifier|[Gg]emm|fc'

refuses 1 'needs the clock of the accelerator.*--clock-mhz' "$DAEDALUS" compile "$digits" --placement-policy cheapest
DAEDALUS_CACHE=$work/none refuses 1 'there is no calibration of the CPU: .*; make one with daedalus bench --calibrate' \
  "$DAEDALUS" compile "$digits" "${cheapest[@]}"
refuses 1 'chooses among targets; expected target auto, or several with commas between them, not cpu' "$DAEDALUS" compile "$digits" "${cheapest[@]}" --target cpu
refuses 2 '.cheap. is unknown; expected accelerator-first or cheapest' "$DAEDALUS" compile "$digits" --placement-policy cheap
refuses 2 "--placement-policy is for models: 'a.dae' is a package" "$DAEDALUS" run a.dae --placement-policy cheapest
refuses 2 "--clock-mhz is for models: 'a.dae' is a package, which was placed when it was compiled" \
  "$DAEDALUS" run a.dae --clock-mhz 100
refuses 1 "the accelerator's clock is 'fast'; expected a whole number of MHz from 1 to 10000" \
  "$DAEDALUS" compile "$digits" --clock-mhz fast

refuses_calibration() { # SENTENCE FILE
  refuses 1 "placement by price: the calibration '$2' $1" "$DAEDALUS" compile "$digits" "${cheapest[@]}" --cpu-calibration "$2"
}
head -c 200 own.json >cut.json
refuses_calibration 'is not a JSON object; make one with' cut.json
echo '[]' >list.json
refuses_calibration 'is not a JSON object; make one with' list.json
sed 's/daedalus calibration 1/daedalus calibration 9/' own.json >version.json
refuses_calibration "has the format 'daedalus calibration 9'; expected 'daedalus calibration 1'; make one" version.json
sed '/"operation"/d' own.json >short.json
refuses_calibration "gives no microseconds for 'operation'; make one" short.json
calibration negative.json -1
refuses_calibration "gives -1.0+ microseconds for 'kernel'; expected a number that is not negative; make one" negative.json
sed -E 's/"byte": [^,]*/"byte": NaN/' own.json >nan.json
refuses_calibration 'is not a JSON object; make one with' nan.json
sed 's/"processor": "/"processor": "Other /' own.json >other.json
refuses_calibration 'is for .* on Other .*; expected .*, which daedalus bench --calibrate measures' other.json
sed "s/\"level\": \"$level\"/\"level\": \"x86-64-v1\"/" own.json >level.json
refuses_calibration "is for x86-64-v1 on .*; expected $level on" level.json

refuses 2 "bench needs 'targets' to measure a model" "$DAEDALUS" bench
refuses 2 'targets excludes --calibrate|--calibrate excludes targets' "$DAEDALUS" bench --calibrate targets m.onnx
refuses 2 'calibrate' "$DAEDALUS" bench --repeats 3
finish
