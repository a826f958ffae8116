#!/bin/bash
# daedalus tune and compile --tuned: exact, the same again, never worse than the planner; and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
cycles() { # PACKAGE: of a run
  "$DAEDALUS" run "$1" --timing-only --json | sed -n 's/^ *"cycles": \([0-9]*\),$/\1/p' | head -n 1
}

ok "$DAEDALUS" compile "$digits" -o planned.dae
ok "$DAEDALUS" tune "$digits" --db plans.db --trials 200 --json
read -r planned tuned bound < <(python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
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

# Another machine has no plan here, and is compiled as the planner has it.
ok "$DAEDALUS" compile "$digits" --tuned plans.db --machine vta -o other.dae
prints "^'plans.db' has no plan for kernels of this model on machine 'vta'; daedalus tune searches for one$"

refuses 1 "there is no file 'none.db'; daedalus tune --db makes one" "$DAEDALUS" compile "$digits" --tuned none.db -o x.dae
echo text >text.db
refuses 1 "'text.db' is not a database of tuned plans" "$DAEDALUS" compile "$digits" --tuned text.db -o x.dae
refuses 1 "'text.db' is not a database of tuned plans" "$DAEDALUS" tune "$digits" --db text.db
python3 -c 'import sqlite3; file = sqlite3.connect("other.db"); file.execute("CREATE TABLE point(id)"); file.commit()'
refuses 1 "'other.db' is not a database of tuned plans" "$DAEDALUS" tune "$digits" --db other.db
refuses 1 "nowhere.onnx" "$DAEDALUS" tune nowhere.onnx --db x.db
refuses 1 "no kernel of the model runs on the accelerator" "$DAEDALUS" tune "$digits" --db x.db --target cpu
refuses 2 "strategy" "$DAEDALUS" tune "$digits" --db x.db --strategy best
refuses 2 "db" "$DAEDALUS" tune "$digits"
refuses 2 "trials" "$DAEDALUS" tune "$digits" --db x.db --trials 0
finish
