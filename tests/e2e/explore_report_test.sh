#!/bin/bash
# daedalus explore --report: the page's numbers are the database's, also of a sweep that ended before, where nothing is
# evaluated again; its machine files are machines. A browser sees the page in explore_report/.
. "$(dirname "$0")/cli_lib.sh"
export PYTHONDONTWRITEBYTECODE=1
digits=$source/examples/digits/digits.onnx
cat >space.yaml <<'END'
bases: [default, vta]
keys:
  n: [16, 8]
  bus_bytes: [8, 16]
  read_latency: [16, 64]
derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(4, bus_bytes / 4)"}
END
explore=("$DAEDALUS" explore space.yaml "$digits" --workers 2)
data() { python3 "$source/tests/e2e/explore_report/page_data.py" "$@"; }

ok "${explore[@]}" --db one.db --report one.html
ok data one.html one.db
prints '^12 points, [0-9]+ profiles, all as the database says$'

# The same page of the finished sweep; what stands in the database counts, which nobody evaluates again.
ok "${explore[@]}" --db one.db --resume --report two.html
same one.html two.html
python3 - <<'END'
import sqlite3
file = sqlite3.connect("one.db")
file.execute("UPDATE result SET estimated_pj = 12345.5 WHERE point = (SELECT max(point) FROM result)")
file.commit()
END
ok "${explore[@]}" --db one.db --resume --report changed.html
ok data changed.html one.db
grep -q 12345.5 <(python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import page_data; print(page_data.read("changed.html"))' \
  "$source/tests/e2e/explore_report") || fail "the page has not the number of the database"

# Of profiled points of a page: the machine file runs as the name does, and layers are those of `daedalus profile`.
reproduces() { # PAGE
  python3 - "$source/tests/e2e/explore_report" "$digits" "$1" <<'END' || fail "a machine file or a profile of $1 differs"
import json, os, subprocess, sys
sys.path.insert(0, sys.argv[1])
import page_data
data, profiles = page_data.read(sys.argv[3])
def run(*command):
    return json.loads(subprocess.run([os.environ["DAEDALUS"], *command], capture_output=True, text=True, check=True).stdout)
for point, (profile,) in list(profiles.items())[:2]:
    index = data["points"]["id"].index(int(point))
    with open("machine.yaml", "w") as file:
        file.write("".join(data["lines"][line] + "\n" for line in data["points"]["files"][index]))
    found = run("profile", sys.argv[2], "--machine", "machine.yaml", "--json", "--what-if")
    named = run("profile", sys.argv[2], "--machine", data["points"]["machine"][index], "--json")
    assert found["cycles"] == named["cycles"] == profile["cycles"], (found["cycles"], profile["cycles"])
    for layer, own in zip(found["layers"], profile["layers"], strict=True):
        for key, value in own.items():
            assert layer.get(key, 0) == value, (key, layer, own)
    for change in profile.get("what_if", []):
        same = next(one for one in found["what_if"] if one["change"] == change["change"])
        assert change.items() <= same.items(), (change, same)
END
}
reproduces one.html

# Machines of a file, with DRAMs.
cp "$source/isa/machines/vta.yaml" own.yaml
cat >drams.yaml <<'END'
bases: [default, own.yaml]
keys: {clock_mhz: 500, model: [ddr4-2400, ddr3-1600]}
END
ok "$DAEDALUS" explore drams.yaml "$digits" --db drams.db --report drams.html --workers 2
ok data drams.html drams.db
prints '^4 points, [0-9]+ profiles'
reproduces drams.html

# What is wrong is said, and no page is written.
refuses 1 "cannot write 'nowhere/page.html'" "${explore[@]}" --db one.db --resume --report nowhere/page.html
python3 - <<'END'
import sqlite3
file = sqlite3.connect("one.db")
file.execute("UPDATE result SET cycles = 7")
file.commit()
END
refuses 1 "the database says 7 cycles of '$digits' on machine .*, and a run takes [0-9]+" "${explore[@]}" --db one.db --resume --report bad.html
echo 'keys: {n: [8], bus_bytes: [16]}' >none.yaml
"$DAEDALUS" explore none.yaml "$digits" --db none.db --report none.html >/dev/null 2>&1 # which status, explore_test.sh knows
[ -s none.html ] || fail "a sweep without a machine has no page"
finish
