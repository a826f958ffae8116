#!/bin/bash
# daedalus explore: the cycles of the plain commands on each machine, whatever the number of workers and however often it is
# ended; and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
cat >space.yaml <<'END'
bases: [default, vta]
keys:
  n: [8, 16]
  bus_bytes: [8, 16]
  read_latency: {from: 16, to: 64, times: 4}
derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(4, bus_bytes / 4)"}
END
ok "$DAEDALUS" explore space.yaml "$digits" --db one.db --workers 1 --csv one.csv
prints '^16 points: 12 machines, 4 skipped \(most often: the key .core.bus_bytes. is 16; expected at most the 8 of .n.\)'
prints '^ *[0-9,]+ +[0-9,]+ +[0-9,]+  default,n=|^ *[0-9,]+ +[0-9,]+ +[0-9,]+  vta,n='
[ "$(wc -l <one.csv)" -eq 13 ] || fail "the CSV has not 12 results: $(cat one.csv)"

# Exact: each point is what the plain command counts.
tail -n +2 one.csv | python3 -c '
import csv, os, subprocess, sys
for row in csv.reader(sys.stdin):
    run = subprocess.run([os.environ["DAEDALUS"], "run", row[2], "--machine", row[1], "--timing-only", "--json"],
                         capture_output=True, text=True, check=True)
    import json
    assert json.loads(run.stdout)["cycles"] == int(row[3]), (row, json.loads(run.stdout)["cycles"])
    assert 0 < int(row[4]) <= int(row[3]), row
' || fail "a point differs from daedalus run"

# The same for any number of workers, and behind an end in its middle.
ok "$DAEDALUS" explore space.yaml "$digits" --db three.db --workers 3 --json
explore_rows one.db >one.txt
explore_rows three.db >three.txt
same one.txt three.txt
"$DAEDALUS" explore space.yaml "$digits" --db killed.db --workers 2 >/dev/null 2>&1 </dev/null &
explorer=$!
for look in $(seq 1000); do # until the first points are written
  [ "$(stat -c %s killed.db-wal 2>/dev/null || echo 0)" -gt 20000 ] && break
  sleep 0.02
done
kill -9 "$explorer" 2>/dev/null
wait "$explorer" 2>/dev/null
ok "$DAEDALUS" explore space.yaml "$digits" --db killed.db --workers 2 --resume
explore_rows killed.db >killed.txt
same one.txt killed.txt
ok "$DAEDALUS" explore space.yaml "$digits" --db sampled.db --sample 5 --seed 7
prints '^[0-9]+ points: 5 machines, [0-9]+ skipped'

# A search evaluates as many machines as it may, the same ones for any number of workers and behind an end in its middle.
cat >wide.yaml <<'END'
keys:
  n: [8, 16, 32]
  bus_bytes: [8, 16, 32]
  queue_depth: [4, 8, 16]
  read_latency: {from: 16, to: 256, times: 2}
  acc_bytes: {from: 16384, to: 131072, times: 2}
derive: {max_burst_beats: 512 / bus_bytes}
END
search=("$DAEDALUS" explore wide.yaml "$digits" --search 70 --objectives cycles,area)
ok "${search[@]}" --db search.db --workers 1
prints '^70 points: 70 machines$'
explore_rows search.db >search.txt
ok "${search[@]}" --db search3.db --workers 3
explore_rows search3.db >search3.txt
same search.txt search3.txt
"${search[@]}" --db ended.db --workers 2 >/dev/null 2>&1 </dev/null &
explorer=$!
for look in $(seq 1000); do
  [ "$(stat -c %s ended.db-wal 2>/dev/null || echo 0)" -gt 100000 ] && break
  sleep 0.02
done
kill -9 "$explorer" 2>/dev/null
wait "$explorer" 2>/dev/null
ok "${search[@]}" --db ended.db --workers 2 --resume
explore_rows ended.db >ended.txt
same search.txt ended.txt
ok "${search[@]}" --db search.db --resume --seed 2
prints '^1?[0-9]{2} points: '
explore_rows search.db | cmp -s - search.txt && fail "another seed evaluates the same machines"

# What else the database has changes nothing.
ok "$DAEDALUS" explore wide.yaml "$digits" --sample 40 --seed 9 --db mixed.db
ok "${search[@]}" --db mixed.db --resume
explore_rows mixed.db | sort | comm -13 - <(sort search.txt) >missing.txt
[ ! -s missing.txt ] || fail "beside other points a search evaluates others: $(head -n 3 missing.txt)"

# A reference bounds the front.
ok "${search[@]}" --db bounded.db --reference area=5.3,cycles=2e4
prints '^ *[0-9,]+ +[0-9.]+  default,n='
tail -n +5 "$work.out" | awk '$2 >= 5.3 { exit 1 }' || fail "a machine is beyond the reference: $(cat "$work.out")"

# Objectives of one network, and weights.
cp "$digits" b.onnx
ok "$DAEDALUS" explore space.yaml "$digits" b.onnx --db two.db --objectives cycles:b.onnx,cycles --weights b.onnx=2
prints '^cycles:b\.onnx +cycles +machine$'

refuses 2 "excludes" "$DAEDALUS" explore space.yaml "$digits" --db x.db --search 5 --sample 5
refuses 2 "error: --reference: 'area' is none of the objectives; expected one of cycles, " "$DAEDALUS" explore space.yaml "$digits" --db x.db --reference area=5
refuses 2 "error: --reference: 'cycles=0' is not NAME=NUMBER" "$DAEDALUS" explore space.yaml "$digits" --db x.db --reference cycles=0
refuses 2 "error: --weights: the network 'c.onnx' is none of the models" "$DAEDALUS" explore space.yaml "$digits" --db x.db --weights c.onnx=2
refuses 1 "the objective 'cycles:c.onnx': the network 'c.onnx' is none" "$DAEDALUS" explore space.yaml "$digits" --db x.db --objectives cycles:c.onnx
refuses 1 "'one.db' already exists; continue its sweep with --resume" "$DAEDALUS" explore space.yaml "$digits" --db one.db
sed 's/64/256/' space.yaml >other.yaml
refuses 1 "'one.db' holds a sweep with another space" "$DAEDALUS" explore other.yaml "$digits" --db one.db --resume
refuses 1 "the objective 'microseconds' needs the clock of each machine, which 'space.yaml' does not state" "$DAEDALUS" explore space.yaml "$digits" --db x.db --objectives microseconds
refuses 1 "the objective 'speed' is unknown; expected one or more of cycles" "$DAEDALUS" explore space.yaml "$digits" --db x.db --objectives speed
refuses 1 "the model '$digits' is given twice" "$DAEDALUS" explore space.yaml "$digits" "$digits" --db x.db
refuses 1 "cannot open|cannot read|no such file" "$DAEDALUS" explore nowhere.yaml "$digits" --db x.db
echo 'keys: {rows: [8]}' >wrong.yaml
refuses 1 "wrong.yaml: the key 'rows' is unknown" "$DAEDALUS" explore wrong.yaml "$digits" --db x.db
refuses 2 "the machines of a sweep are those of 'space.yaml'" "$DAEDALUS" explore space.yaml "$digits" --db x.db --machine vta
refuses 2 'db' "$DAEDALUS" explore space.yaml "$digits"
finish
