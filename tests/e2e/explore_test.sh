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

refuses 1 "'one.db' already exists; continue its sweep with --resume" "$DAEDALUS" explore space.yaml "$digits" --db one.db
sed 's/64/256/' space.yaml >other.yaml
refuses 1 "'one.db' holds a sweep with another space" "$DAEDALUS" explore other.yaml "$digits" --db one.db --resume
refuses 1 "the objective 'speed' is unknown; expected one or more of cycles" "$DAEDALUS" explore space.yaml "$digits" --db x.db --objectives speed
refuses 1 "the model '$digits' is given twice" "$DAEDALUS" explore space.yaml "$digits" "$digits" --db x.db
refuses 1 "cannot open|cannot read|no such file" "$DAEDALUS" explore nowhere.yaml "$digits" --db x.db
echo 'keys: {rows: [8]}' >wrong.yaml
refuses 1 "wrong.yaml: the key 'rows' is unknown" "$DAEDALUS" explore wrong.yaml "$digits" --db x.db
refuses 2 "the machines of a sweep are those of 'space.yaml'" "$DAEDALUS" explore space.yaml "$digits" --db x.db --machine vta
refuses 2 'db' "$DAEDALUS" explore space.yaml "$digits"
finish
