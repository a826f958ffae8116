#!/bin/bash
# daedalus explore under mpirun: the database and the output of one process, whatever the number of ranks; one sentence for
# an error, from one rank. Skipped where the build has no MPI or there is no mpirun.
. "$(dirname "$0")/cli_lib.sh"
command -v mpirun >/dev/null && [ -e "$(dirname "$daedalus")/../lib/libdaedalus_mpi.so" ] || { echo "no MPI"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container
export HWLOC_HIDE_ERRORS=2                                        # which may have no /sys
digits=$source/examples/digits/digits.onnx
cat >space.yaml <<'END_OF_SPACE'
keys:
  n: [8, 16]
  bus_bytes: [8, 16]
  read_latency: {from: 16, to: 256, times: 2}
derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(4, bus_bytes / 4)"}
END_OF_SPACE
ranks() { # NUMBER ARGUMENT...: of explore
  mpirun -q --oversubscribe -n "$1" "$daedalus" explore "${@:2}"
}

ok "$daedalus" explore space.yaml "$digits" --db one.db
mv "$work.out" one.txt
explore_rows one.db >one.rows
for number in 1 2 5; do
  ok ranks $number space.yaml "$digits" --db $number.db
  same one.txt "$work.out"
  explore_rows $number.db >$number.rows
  same one.rows $number.rows
done
ok ranks 3 space.yaml "$digits" --db workers.db --workers 3
same one.txt "$work.out"

refuses 1 "'one.db' already exists; continue its sweep with --resume" ranks 2 space.yaml "$digits" --db one.db
refuses 1 "cannot read 'nowhere.onnx': No such file" ranks 2 space.yaml nowhere.onnx --db x.db
refuses 1 "the objective 'speed' is unknown" ranks 2 space.yaml "$digits" --db x.db --objectives speed
refuses 2 "the machines of a sweep are those of" ranks 2 space.yaml "$digits" --db x.db --machine vta
refuses 2 "models is required" ranks 2 space.yaml --db x.db
ok ranks 2 --help

# Files that differ between the machines.
cat >other.sh <<'END_OF_SCRIPT'
[ "$OMPI_COMM_WORLD_RANK" -eq 2 ] && cd other
exec "$DAEDALUS" explore space.yaml digits.onnx --db "$1"
END_OF_SCRIPT
mkdir other
cp "$digits" .
cp "$digits" other
sed 's/256/128/' space.yaml >other/space.yaml
refuses 1 'rank 2 on .* has another space than rank 0; give all machines the same files' \
  mpirun -q --oversubscribe -n 3 bash other.sh "$work/x.db"
cp space.yaml other
rm other/digits.onnx
refuses 1 "rank 2 on .*: cannot read 'digits.onnx': No such file" mpirun -q --oversubscribe -n 3 bash other.sh "$work/x.db"

# A launcher that MPI does not know.
refuses 1 "a launcher started 4 processes, but MPI finds 1; use the launcher of the MPI" \
  env PMI_RANK=0 PMI_SIZE=4 "$daedalus" explore space.yaml "$digits" --db x.db
finish
