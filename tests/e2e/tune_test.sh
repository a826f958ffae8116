#!/bin/bash
# daedalus tune and compile --tuned: plans are exact, the same again, never worse than the planner's; schedules are for their
# processor and threads, and compute the same; and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
cycles() { # PACKAGE: of a run
  "$DAEDALUS" run "$1" --timing-only --json | sed -n 's/^ *"cycles": \([0-9]*\),$/\1/p' | head -n 1
}

ok "$DAEDALUS" compile "$digits" -o planned.dae
ok "$DAEDALUS" tune "$digits" --db plans.db --trials 200 --json
read -r planned tuned bound < <(python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))["plans"]
print(found["planned_cycles"], found["tuned_cycles"], found["bound_cycles"])' "$work.out")
[ "$planned" = "$(cycles planned.dae)" ] || fail "tune counts $planned cycles for the plan of the planner"
[ "$bound" -le "$tuned" ] && [ "$tuned" -lt "$planned" ] || fail "tuned: $tuned cycles; planned: $planned; bound: $bound"
ok "$DAEDALUS" compile "$digits" --tuned plans.db -o tuned.dae
[ "$tuned" = "$(cycles tuned.dae)" ] || fail "compile --tuned gives $(cycles tuned.dae) cycles; tune found $tuned"

# The same bytes, on the engines that compute and on the hardware itself.
/usr/bin/python3 -c 'import numpy; numpy.save("image.npy", numpy.random.default_rng(1).integers(-128, 128, (1, 1, 8, 8), "int8"))'
for package in planned tuned; do
  ok "$DAEDALUS" run $package.dae --input image=image.npy -o $package
done
same planned/logits.npy tuned/logits.npy
ok "$DAEDALUS" run tuned.dae --input image=image.npy -o rtl --engine rtl
same planned/logits.npy rtl/logits.npy

# The same trials find the same; a database is gone on with.
ok "$DAEDALUS" tune "$digits" --db again.db --trials 200 --json
grep -q "\"tuned_cycles\": $tuned," "$work.out" || fail "the same search finds something else"
ok "$DAEDALUS" tune "$digits" --db plans.db --trials 5
prints "^the planner's plan: .* cycles; tuned: "
ok "$DAEDALUS" compile "$digits" --tuned plans.db -o tuned.dae
[ "$(cycles tuned.dae)" -le "$tuned" ] || fail "a second search made it worse"
for strategy in random evolution; do
  ok "$DAEDALUS" tune "$digits" --db $strategy.db --trials 20 --strategy $strategy --machine tiny
done
ok "$DAEDALUS" tune "$digits" --db seconds.db --seconds 1

# A search that is killed keeps what it found so far, which the next one begins with. Of digits it soon finds something.
found() { /usr/bin/python3 -c 'import sqlite3; print(sqlite3.connect("killed.db").execute("SELECT min(after) FROM tuned").fetchone()[0])' 2>"$work.err"; }
"$DAEDALUS" tune "$digits" --db killed.db --only plans --trials 1000000 >"$work.out" 2>&1 &
search=$!
for ((tenths = 0; tenths < 600; ++tenths)); do
  [ -f killed.db ] && [[ $(found) =~ ^[0-9] ]] && break
  sleep 0.1
done
kill -9 $search
wait $search 2>"$work.err"
killed=$(found) && killed=${killed%.*}
[ "$killed" -lt "$planned" ] || fail "a killed search keeps a plan of $killed cycles; the planner's has $planned"
ok "$DAEDALUS" compile "$digits" --tuned killed.db -o killed.dae
[ "$killed" = "$(cycles killed.dae)" ] || fail "compile --tuned gives $(cycles killed.dae) cycles; the killed search found $killed"
ok "$DAEDALUS" tune "$digits" --db killed.db --only plans --trials 1 --json
grep -q "\"tuned_cycles\": $killed," "$work.out" || fail "the search does not begin with what a killed one found: $(cat "$work.out")"

# Another machine has no plan here, and is compiled as the planner has it.
ok "$DAEDALUS" compile "$digits" --tuned plans.db --machine vta -o other.dae
prints "^'plans.db' has nothing for this compilation: no plan of its kernels on machine 'vta', and no schedule of its kernels on this host with 1 thread; daedalus tune searches for them$"

# Schedules of the CPU's kernels, in the same database: the plans stay.
ok "$DAEDALUS" compile "$digits" --target cpu -o cpu.dae
ok "$DAEDALUS" tune "$digits" --target cpu --db plans.db --trials 3 --threads 2 --seed 5 --json
python3 - "$work.out" <<'END' || fail "the search of schedules says: $(cat "$work.out")"
import json, sys
found = json.load(open(sys.argv[1]))
assert "plans" not in found and found["schema"] == 2
found = found["schedules"]
assert found["threads"] == 2 and found["trials"] <= 3 and found["kernels"]
for kernel in found["kernels"] + found["sums"]:
    assert kernel["unit"] == "us" and 0 < kernel["after"] <= kernel["before"]
for kernel in found["kernels"]:
    assert kernel["section"] == "cpu.schedule" and kernel["is_tuned"] == (kernel["after"] < kernel["before"])
END
ok "$DAEDALUS" tune "$digits" --target cpu --db plans.db --trials 1 --threads 2
prints '^kernels on the CPU: [0-9.]+ us by the compiler.s schedules; tuned: [0-9.]+ us \([0-9.]+% less\) with 2 threads$'
prints '^[0-9]+ of [0-9]+ kernels that take noticeable time are faster, in [01] trials$'
prints "^use it: daedalus compile $digits --tuned plans.db --target cpu --threads 2$"
ok "$DAEDALUS" compile "$digits" --target cpu --threads 2 --tuned plans.db -o cpu_tuned.dae
ok "$DAEDALUS" compile "$digits" --tuned plans.db -o again.dae
same again.dae tuned.dae
for package in cpu cpu_tuned; do
  ok "$DAEDALUS" run $package.dae --input image=image.npy -o $package
  same planned/logits.npy $package/logits.npy
done

# A row is taken on its processor with its threads alone, and a file of --schedule stands in front of it.
ok "$DAEDALUS" compile "$digits" --target cpu --emit schedule -o own.mlir
rows() { # DATABASE SED_SCRIPT: one with the first kernel's schedule, changed, of this processor with 1 thread
  python3 - "$1" "$2" <<'END'
import re, sqlite3, subprocess, sys
line = next(line for line in open("own.mlir") if "cpu.kernel" in line and "blocks" in line).strip()
processor = re.search(r"^model name\s*: (.*)$", open("/proc/cpuinfo").read(), re.M)
level = re.search(r'#cpu.block<"([^"]*)"', line).group(1)
changed = subprocess.run(["sed", "-E", sys.argv[2]], input=line, capture_output=True, text=True).stdout
device = f"processor={processor.group(1) if processor else 'processor without a name'}\nlevels={level}\nthreads=1\n"
version = sqlite3.connect("plans.db").execute("SELECT version FROM tuned").fetchone()[0]
subprocess.run(["cp", "plans.db", sys.argv[1]])
file = sqlite3.connect(sys.argv[1])
file.execute("DELETE FROM tuned")
file.execute("INSERT INTO tuned VALUES(?, ?, ?, ?, ?, 2, 1, 'seconds')",
             ("cpu.schedule", re.search('"([0-9a-f]{16})"', line).group(1), device, version, changed))
file.commit()
END
}
tiles() { grep -c 'tile \[1, 1, 1, 16\]' "$1"; }
rows rows.db 's/ tile \[[^]]*\]( threads)?/ tile [1, 1, 1, 16]/'
for options in '' '--threads 2' '--schedule own.mlir'; do
  ok "$DAEDALUS" compile "$digits" --target cpu $options --tuned rows.db --emit schedule -o "with$options.mlir"
done
[ "$(tiles with.mlir)" = $(($(tiles own.mlir) + 1)) ] || fail "the schedule in a database is not taken: $(cat with.mlir)"
same own.mlir 'with--threads 2.mlir'
same own.mlir 'with--schedule own.mlir.mlir'
ok "$DAEDALUS" compile "$digits" --target cpu --tuned rows.db -o rows.dae
ok "$DAEDALUS" run rows.dae --input image=image.npy -o rows
same planned/logits.npy rows/logits.npy
# It is slower than the compiler's own: a search takes it out.
ok "$DAEDALUS" tune "$digits" --target cpu --db rows.db --trials 1
ok "$DAEDALUS" compile "$digits" --target cpu --tuned rows.db --emit schedule -o with.mlir
[ "$(tiles with.mlir)" = "$(tiles own.mlir)" ] || fail "a schedule that is slower stays: $(cat with.mlir)"
rows three.db 's/ tile \[1/ tile [3/'
refuses 1 "three.db:2: gives node '.*' tiles of 3 along loop 0, which has 1; expected a divisor" \
  "$DAEDALUS" compile "$digits" --target cpu --tuned three.db -o x.dae
rows damaged.db 's/tile/tiles/'
refuses 1 "'damaged.db' has a schedule of cpu.schedule for kernel '[0-9a-f]{16}' that cannot be read; expected an entry as --emit schedule prints it" \
  "$DAEDALUS" compile "$digits" --target cpu --tuned damaged.db -o x.dae
refuses 1 "'damaged.db' has a schedule of cpu.schedule" "$DAEDALUS" tune "$digits" --target cpu --db damaged.db

# Both searches, and each alone.
ok "$DAEDALUS" tune "$source/tests/models/open_sizes.onnx" --shape x=1x1x8x8 --set rate=4 --db both.db --trials 1 --json
ok "$DAEDALUS" tune "$digits" --only plans --db only.db --trials 1 --json
grep -q '"schedules"' "$work.out" && fail "--only plans searches for schedules: $(cat "$work.out")"
refuses 1 "nothing of the model that runs on 'cpu' has a plan or a schedule to tune; use compile --placement" \
  "$DAEDALUS" tune "$digits" --target cpu --only plans --db x.db
refuses 2 "only" "$DAEDALUS" tune "$digits" --only tiles --db x.db
refuses 2 "strategy is for plans of the accelerator, and nothing of the model runs there" \
  "$DAEDALUS" tune "$digits" --target cpu --strategy random --db x.db

# What another version found is where a search begins, and nothing that a compilation takes.
cp plans.db version.db
python3 -c 'import sqlite3; file = sqlite3.connect("version.db"); file.execute("UPDATE tuned SET version = ?", ("0.0.1",)); file.commit()'
ok "$DAEDALUS" compile "$digits" --tuned version.db -o other.dae
prints "^'version.db' is of Daedalus 0.0.1, and this is Daedalus .*; daedalus tune begins with what is there$"
same other.dae planned.dae
ok "$DAEDALUS" tune "$digits" --db version.db --trials 3 --only plans --json
grep -q "\"tuned_cycles\": $tuned," "$work.out" || fail "the search does not begin with the plans of another version: $(cat "$work.out")"

refuses 1 "there is no file 'none.db'; daedalus tune --db makes one" "$DAEDALUS" compile "$digits" --tuned none.db -o x.dae
echo text >text.db
refuses 1 "'text.db' is not a database of tuned plans" "$DAEDALUS" compile "$digits" --tuned text.db -o x.dae
refuses 1 "'text.db' is not a database of tuned plans" "$DAEDALUS" tune "$digits" --db text.db
python3 -c 'import sqlite3; file = sqlite3.connect("other.db"); file.execute("CREATE TABLE point(id)"); file.commit()'
refuses 1 "'other.db' is not a database of tuned plans" "$DAEDALUS" tune "$digits" --db other.db
refuses 1 "nowhere.onnx" "$DAEDALUS" tune nowhere.onnx --db x.db
refuses 1 "cannot write 'nowhere/x.db': there is no folder 'nowhere'" "$DAEDALUS" tune "$digits" --db nowhere/x.db
python3 -c 'import sqlite3; file = sqlite3.connect("first.db"); file.execute("CREATE TABLE stream(kernels)"); file.commit()
file = sqlite3.connect("later.db"); file.execute("CREATE TABLE tuned(section)"); file.execute("PRAGMA user_version = 4"); file.commit()'
refuses 1 "'first.db' is a database of tuned plans of format 1; expected format 3: name another file, and daedalus tune makes it" \
  "$DAEDALUS" compile "$digits" --tuned first.db -o x.dae
refuses 1 "'later.db' is a database of tuned plans of format 4; expected format 3" "$DAEDALUS" tune "$digits" --db later.db
refuses 2 "threads" "$DAEDALUS" tune "$digits" --db x.db --threads 0
refuses 2 "strategy" "$DAEDALUS" tune "$digits" --db x.db --strategy best
refuses 2 "db" "$DAEDALUS" tune "$digits"
refuses 2 "trials" "$DAEDALUS" tune "$digits" --db x.db --trials 0
finish
