#!/bin/bash
# daedalus certify: cycles do not depend on data, on both engines; and what a user may get wrong. scripts/nightly.sh certifies
# every network and every convolution. And the intervals of docs/intervals.md.
. "$(dirname "$0")/cli_lib.sh"
json() { # CONDITION of the last output, c
  python3 -c 'import json, sys; c = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$work.out" "$1" ||
    fail "the output is not so that $1: $(cat "$work.out")"
}
misses() { # REGULAR_EXPRESSION OPTION...: exit status 1, nothing on stderr
  local pattern=$1 status=0
  shift
  "$DAEDALUS" certify "$digits" --runs 1 --rtl-cycles 0 "$@" >"$work.out" 2>"$work.err" </dev/null || status=$?
  [ "$status" -eq 1 ] && [ ! -s "$work.err" ] || fail "'$*' exits with $status: $(cat "$work.err")"
  prints "$pattern"
}
models=$(dirname "$daedalus")/../models
digits=$source/examples/digits/digits.onnx

ok "$DAEDALUS" certify "$digits" --runs 20
prints 'digits.onnx: 5,074 cycles on machine default, a memory that answers reads after 64 '
prints '^the same in every run: 20 on systemc, 20 on rtl$'
prints '^the same for all other data: .*data_independence.py proves'
ok "$DAEDALUS" compile "$digits" --machine tiny -o digits.dae
ok "$DAEDALUS" certify digits.dae --runs 4 --rtl-cycles 0
prints '^not run on rtl: more than 0 cycles'
if [ -f "$models/made" ]; then
  ok "$DAEDALUS" certify "$models/convs/C5.onnx" --runs 4
  prints 'C5.onnx: 25,088 |C5.onnx: 2[0-9],[0-9]+ cycles'
  prints ' 4 on rtl$'
  ok "$DAEDALUS" certify "$models/networks/mobilenet_v2.onnx" --runs 4
  prints ' 4 on systemc$'
  prints "on the host's CPU, whose time is not certified"
fi

# What packages say, with latencies and with a DRAM.
ok "$DAEDALUS" compile "$digits" -o digits_default.dae
ok "$DAEDALUS" info digits_default.dae
prints '^certified: 5,074 cycles of main in every run with read_latency=64,write_latency=64$'
ok "$DAEDALUS" run digits_default.dae --timing-only
prints 'machine default: 5,074 cycles, as the package certifies$'
ok "$DAEDALUS" run digits_default.dae --timing-only --machine default,read_latency=65
grep -q certifies "$work.out" && fail "a package certifies cycles with another memory: $(cat "$work.out")"
dram=default,model=ddr4-2400,clock_mhz=1000,t_refi=1500
ok "$DAEDALUS" compile "$digits" --machine "$dram" -o dram.dae
ok "$DAEDALUS" info dram.dae
prints '^certified: [0-9,]+ cycles of main in every run with model=ddr4-2400,clock_mhz=1000,dram_mhz=1200,.*t_refi=1500,'
for engine in systemc rtl; do
  ok "$DAEDALUS" run dram.dae --timing-only --engine $engine
  prints ': [0-9,]+ cycles .*, as the package certifies'
  ok "$DAEDALUS" profile dram.dae --engine $engine --trace "$engine.trace"
  prints '^ddr4-2400: reads [0-9,]+ \([0-9.]+% row hits, [0-9,]+ row conflicts\), writes .* [1-9][0-9]* refreshes in [0-9,]+ cycles$'
  grep -aq refresh "$engine.trace" || fail "no refresh in the trace of $engine"
  cp "$work.out" "$engine.txt"
done
ok "$DAEDALUS" certify dram.dae --runs 2
prints 'machine default,model=ddr4-2400,clock_mhz=1000,t_refi=1500, with ddr4-2400 at 1000 MHz, all rows closed at the start$'
ok "$DAEDALUS" certify dram.dae --runs 1 --rtl-cycles 0 --read-latency 20:400 --write-latency 20:400
ok "$DAEDALUS" profile dram.dae --json
json 'c["dram"]["model"] == "ddr4-2400" and c["dram"]["refreshes"] > 0 and c["dram"]["reads"]["hits"] > 0'
refuses 2 'has a DRAM, so its latencies vary: give both' "$DAEDALUS" certify dram.dae --read-latency 4:8
refuses 1 "memory.model' is 'ddr9'; expected one of fixed, ddr3-1600" "$DAEDALUS" run "$digits" --machine default,model=ddr9

# Intervals, the one number where nothing varies, deadlines.
ok "$DAEDALUS" certify digits.dae --runs 1 --read-latency 40:120 --write-latency 40:80
prints '^[0-9,]+ to [0-9,]+ cycles in every run with a memory that answers reads after 40 to 120 and writes after 40 to 80 cycles, as it likes: docs/intervals.md'
ok "$DAEDALUS" certify "$digits" --runs 1 --rtl-cycles 0 --read-latency 64:64 --write-latency 64
prints '^5,074 cycles with a memory that answers reads after 64 and writes after 64 cycles$'
ok "$DAEDALUS" certify "$digits" --runs 1 --rtl-cycles 0 --deadline 5074
prints '^the deadline of 5,074 cycles is met, with 0 to spare$'
ok "$DAEDALUS" certify "$digits" --runs 2 --read-latency 40:120 --deadline 1000000 --json
json 'c["schema"] == 1 and c["machine"]["name"] == "default" and len(c["machine"]["hash"]) == 16'
json 'c["cycles"] == 5074 and c["runs"] == {"systemc": 2, "rtl": 2} and c["uncertified_host_layers"] == 0'
json 'c["daedalus"] == "'"$("$DAEDALUS" --version | sed 's/.* //')"'" and c["deadline"] == {"cycles": 1000000, "met": True}'
json 'c["interval"]["read_latency"] == [40, 120] and c["interval"]["write_latency"] == [64, 64]'
json 'c["interval"]["lower"] < 5074 < c["interval"]["upper"]'
misses 'the deadline of 5,073 cycles is not met: a run may take 5,074, which are 1 more' --deadline 5073
misses 'the deadline of 5,074 cycles is not met: a run may take ' --deadline 5074 --read-latency 64:65
misses '"met": false' --deadline 5073 --json

refuses 2 "--read-latency is 'fast'; expected the minimum" "$DAEDALUS" certify "$digits" --read-latency fast
refuses 2 "--write-latency is '4:'; expected the minimum" "$DAEDALUS" certify "$digits" --write-latency 4:
refuses 2 "--read-latency is '-1:4'; expected the minimum" "$DAEDALUS" certify "$digits" --read-latency=-1:4
refuses 1 'the read latency 9:8 is empty: the minimum comes first' "$DAEDALUS" certify "$digits" --read-latency 9:8
refuses 1 'the write latency 0:8 begins with 0' "$DAEDALUS" certify "$digits" --write-latency 0:8
refuses 1 'the read latency 64:65536 reaches the 65536 cycles .* machine default' "$DAEDALUS" certify "$digits" --read-latency 64:65536
refuses 2 'deadline' "$DAEDALUS" certify "$digits" --deadline 0
refuses 1 'has no accelerator program' "$DAEDALUS" certify "$digits" --target cpu
refuses 2 'runs' "$DAEDALUS" certify "$digits" --runs 0
refuses 2 'was compiled for its target' "$DAEDALUS" certify digits.dae --target auto
refuses 1 'nowhere.dae' "$DAEDALUS" certify nowhere.dae
finish
