#!/bin/bash
# daedalus explore: what goes wrong in a sweep is one sentence, and what is written stays.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
cat >space.yaml <<'END_OF_SPACE'
keys: {n: [8, 16], read_latency: {from: 16, to: 128, step: 16}}
derive: {bus_bytes: 8, inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: 2}
END_OF_SPACE
explore() { # ARGUMENT...: of a space with two networks or one
  "$daedalus" explore "$@"
}
fails() { # STATUS REGULAR_EXPRESSION COMMAND...: as refuses, but files may change
  local expected=$1 pattern=$2 status=0
  shift 2
  "$@" >"$work.out" 2>"$work.err" </dev/null || status=$?
  [ "$status" -eq "$expected" ] || fail "'$*' exits with $status, expected $expected: $(head -n 3 "$work.err")"
  [ "$(wc -l <"$work.err")" -eq 1 ] && grep -Eq -- "^daedalus: error: .*$pattern" "$work.err" ||
    fail "'$*' does not say '$pattern' in one line: $(head -n 5 "$work.err")"
}
negative() { # COMMAND...: status 1, and the answer is on stdout
  local status=0
  "$@" >"$work.out" 2>"$work.err" </dev/null || status=$?
  [ "$status" -eq 1 ] && [ ! -s "$work.err" ] || fail "'$*' exits with $status: $(head -n 3 "$work.err")"
}
change() { # DATABASE SQL
  python3 -c 'import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.executescript(sys.argv[2])' "$1" "$2"
}

# Spaces without a machine, and networks that run on none.
echo 'keys: {n: [8, 17], bus_bytes: [16]}' >none.yaml
negative explore none.yaml "$digits" --db none.db
prints '^no machine runs all networks:$'
prints "^ +1  the key 'core.bus_bytes' is 16; expected at most the 8 of 'n'$"
prints "^ +1  the key 'core.n' is '17'; expected a power of two"
echo '{keys: {n: [8]}, where: [n > 8]}' >excluded.yaml
negative explore excluded.yaml "$digits" --db excluded.db
prints '^ +1  not n > 8$'
/usr/bin/python3 - <<'END_OF_MODEL'
import onnx
from onnx import TensorProto, helper
sizes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 4]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Sin", ["x"], ["y"])], "sine", sizes[:1], sizes[1:])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), "sine.onnx")
END_OF_MODEL
negative explore space.yaml "$digits" sine.onnx --db sine.db
prints '^ +16  sine.onnx: no layer runs on the accelerator$'
negative explore space.yaml sine.onnx --target accelerator --db refused.db --workers 1
prints "^ +16  sine.onnx: node 'Sin_0': cannot run on the accelerator of the machine: it computes in float32"
negative explore space.yaml sine.onnx --target accelerator --db three.db --workers 3
explore_rows refused.db >refused.txt
explore_rows three.db >three.txt
same refused.txt three.txt

# Spaces.
echo 'keys: {read_latency: {from: 1, to: 1000000, step: 1}, write_latency: {from: 1, to: 1000000, step: 1}}' >large.yaml
refuses 1 'large.yaml: ' explore large.yaml "$digits" --db x.db
echo 'keys: {n: [8], n: [16]}' >twice.yaml
refuses 1 "twice.yaml: the key 'n' is given twice" explore twice.yaml "$digits" --db x.db
echo '{keys: {n: [8]}, where: [rows < 8]}' >unknown.yaml
refuses 1 "unknown.yaml: the condition 'rows < 8': " explore unknown.yaml "$digits" --db x.db

# Energy tables.
energy=$source/compiler/lib/Report/Energy/45nm.yaml
for value in .nan -1 .inf 1e308 many; do
  sed "s/^dram_pj_per_byte: .*/dram_pj_per_byte: $value/" "$energy" >energy.yaml
  refuses 1 "energy.yaml: the key 'dram_pj_per_byte' is '$value'; expected a number of picojoules from 0 to 1e12" \
    explore space.yaml "$digits" --db x.db --energy-table energy.yaml
done
echo 'dram_pj: 1' | cat "$energy" - >energy.yaml
refuses 1 "energy.yaml: the key 'dram_pj' is unknown" explore space.yaml "$digits" --db x.db --energy-table energy.yaml

# --resume of another sweep.
cp "$digits" model.onnx
cp "$energy" energy.yaml
"$daedalus" info --machine tiny >/dev/null
cp "$source/isa/machines/tiny.yaml" base.yaml
echo '{bases: [base.yaml], keys: {read_latency: [16, 32]}}' >based.yaml
ok explore based.yaml model.onnx --db based.db --energy-table energy.yaml
ok explore based.yaml model.onnx --db based.db --energy-table energy.yaml --resume
again() { # WHAT ARGUMENT...: of explore
  refuses 1 "'based.db' holds a sweep with another $1; give the same, or name another file" \
    explore based.yaml model.onnx --db based.db --resume "${@:2}"
}
again 'energy table'
sed -i 's/^dram_pj_per_byte: .*/dram_pj_per_byte: 1/' energy.yaml
again 'energy table' --energy-table energy.yaml
cp "$energy" energy.yaml
again 'target or option of the compiler' --energy-table energy.yaml --target cpu
again 'list of models' --energy-table energy.yaml "$digits"
sed -i 's/memory_timeout_cycles: .*/memory_timeout_cycles: 1024/' base.yaml
again 'base machine' --energy-table energy.yaml
cp "$source/isa/machines/tiny.yaml" base.yaml
cp "$source/examples/digits/digits.onnx" model.onnx
printf '\x3a\x00' >>model.onnx # an empty field more
again 'list of models' --energy-table energy.yaml
cp "$digits" model.onnx
for name in version build; do
  cp based.db kept.db
  change based.db "UPDATE sweep SET value = 'older' WHERE name = '$name of daedalus'"
  again "$name of daedalus" --energy-table energy.yaml
  mv kept.db based.db
done

# Files that are no database of a sweep, or cannot be one.
echo 'notes, and long enough to look like one' >notes.db
refuses 1 "'notes.db' is not the database of a sweep; name another file" explore space.yaml "$digits" --db notes.db --resume
change music.db 'CREATE TABLE song(title TEXT)'
refuses 1 "'music.db' is not the database of a sweep; name another file" explore space.yaml "$digits" --db music.db --resume
change music.db 'CREATE TABLE sweep(title TEXT)'
refuses 1 "'music.db' is not the database of a sweep; name another file" explore space.yaml "$digits" --db music.db --resume
refuses 1 "cannot open 'missing/x.db': No such file or directory" explore space.yaml "$digits" --db missing/x.db
mkdir folder
refuses 1 "'folder' already exists" explore space.yaml "$digits" --db folder
refuses 1 "cannot open 'folder': Is a directory" explore space.yaml "$digits" --db folder --resume
read_only() {
  becomes_ordinary || return 0
  chmod 444 based.db
  chmod 777 .
  refuses 1 "'based.db' is read-only; make it writable, or name another file" \
    "${ordinary[@]}" "$daedalus" explore based.yaml model.onnx --db based.db --energy-table energy.yaml --resume
  chmod 644 based.db
  chmod 755 .
  [ "$(id -u)" -ne 0 ] || chown 65534 based.db
  refuses 1 "cannot write beside 'based.db', where SQLite keeps its log; make the folder writable" \
    "${ordinary[@]}" "$daedalus" explore based.yaml model.onnx --db based.db --energy-table energy.yaml --resume
}
read_only

# No room: what is written stays.
limited() { (ulimit -f 64; explore "$@"); } # KiB
ok explore space.yaml "$digits" --db whole.db --csv whole.csv
explore_rows whole.db >whole.txt
fails 1 "cannot write 'full.db': (disk I/O error|database or disk is full); what is written stays, and --resume continues with it" \
  limited space.yaml "$digits" --db full.db
ok explore space.yaml "$digits" --db full.db --resume
explore_rows full.db >full.txt
same whole.txt full.txt

# A full disk, on which room is made.
export whole=$PWD/whole.txt digits work
export -f fails fail explore explore_rows same
if unshare -m true 2>/dev/null; then
  mkdir disk
  unshare -m bash -c '
    daedalus=$DAEDALUS failures=0
    mount -t tmpfs -o size=100k none disk
    fails 1 "cannot write .disk/full.db.: database or disk is full; what is written stays, and --resume" \
      explore space.yaml "$digits" --db disk/full.db
    mount -o remount,size=10m disk
    explore space.yaml "$digits" --db disk/full.db --resume >/dev/null || fail "it does not continue behind a full disk"
    explore_rows disk/full.db | cmp - "$whole" || fail "other results behind a full disk"
    exit "$failures"' || failures=$((failures + 1))
fi

# Two sweeps on one file.
echo 'keys: {read_latency: {from: 1, to: 20000, step: 1}}' >long.yaml
"$daedalus" explore long.yaml "$digits" --db long.db --workers 1 >/dev/null 2>&1 </dev/null &
first=$!
for look in $(seq 1000); do
  [ -s long.db-wal ] && break
  sleep 0.02
done
fails 1 "'long.db' is open in another sweep; wait for it, or name another file" \
  explore long.yaml "$digits" --db long.db --resume
kill -9 "$first"
wait "$first" 2>/dev/null
finish
