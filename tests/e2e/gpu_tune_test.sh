#!/bin/bash
# The search of schedules for kernels on a GPU, by the instructions of an emulated one: what it finds has fewer of them, and
# gives the same bytes. Without the device nothing is searched, and an interrupted search leaves its database as it was.
. "$(dirname "$0")/cli_lib.sh"
emulation=$(dirname "$daedalus")/../lib/daedalus-cuda-emulation.so
on_emulated=(--target cuda --cuda-arch emulated)

# A product of int8, whose sums no order changes, and sums over windows of what it gives.
cat >model.mlir <<'END'
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func private @product(%a: tensor<64x64xi8>, %b: tensor<64x48xi8>) -> tensor<64x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x48xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x48xi32>) -> tensor<64x48xi32>
  %c = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xi8>, tensor<64x48xi8>) outs(%fill : tensor<64x48xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %product = arith.muli %u, %v : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<64x48xi32>
  return %c : tensor<64x48xi32>
}
func.func private @windows(%x: tensor<64x48xi32>) -> tensor<64x40xi32> {
  %zero = arith.constant 0 : i32
  %window = tensor.empty() : tensor<9xi32>
  %empty = tensor.empty() : tensor<64x40xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x40xi32>) -> tensor<64x40xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, k) -> (k)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<64x48xi32>, tensor<9xi32>) outs(%fill : tensor<64x40xi32>) {
  ^bb0(%number: i32, %unused: i32, %sum: i32):
    %next = arith.addi %sum, %number : i32
    linalg.yield %next : i32
  } -> tensor<64x40xi32>
  return %y : tensor<64x40xi32>
}
func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x48xi8>) -> tensor<64x40xi32> {
  %c = call @product(%a, %b) : (tensor<64x64xi8>, tensor<64x48xi8>) -> tensor<64x48xi32>
  %y = call @windows(%c) : (tensor<64x48xi32>) -> tensor<64x40xi32>
  return %y : tensor<64x40xi32>
}
END
python3 - <<'END'
import random, struct
random.seed(3)
for name, shape in (("a", (64, 64)), ("b", (64, 48))):
    header = repr({"descr": "|i1", "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(random.randbytes(shape[0] * shape[1]))
END

# Of each layer of a package on the emulated GPU, its instructions, all together; and the bytes that it gives.
instructions() { # PACKAGE FOLDER
  ok "$daedalus" run "$1" --driver "$emulation" --input arg0=a.npy --input arg1=b.npy --output "$2" --json
  python3 -c 'import json, sys
print(sum(layer.get("device_ticks", 0) for layer in json.load(sys.stdin)["layers"]))' <"$work.out"
}

searches() { # ARCHITECTURE
  local before after
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" -o before.dae
  ok "$daedalus" tune model.mlir --target cuda --cuda-arch "$1" --db tuned.db --driver "$emulation"
  prints '^kernels on the emulated device: [0-9,]+ instructions by the compiler.s schedules; tuned: [0-9,]+ instructions \([0-9.]+% less\)$'
  prints '^[1-9][0-9]* of [0-9]+ kernels that take noticeable time are faster, in [0-9]+ trials$'
  prints '^model.mlir:35 .*instructions .*instructions .*%$'
  prints "^use it: daedalus compile model.mlir --tuned tuned.db --target cuda --cuda-arch $1$"
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --tuned tuned.db -o tuned.dae
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --tuned tuned.db --emit schedule -o tuned.mlir
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --schedule tuned.mlir -o again.dae
  same tuned.dae again.dae
  before=$(instructions before.dae before) after=$(instructions tuned.dae tuned)
  [ "$after" -lt "$before" ] || fail "what is found for $1 has $after instructions; before it were $before"
  for file in before/*.npy; do same "$file" "tuned/${file#before/}"; done
}
searches emulated
# The rows of one architecture are none of another's.
ok "$daedalus" compile model.mlir --target cuda --cuda-arch emulated-sm_90a -o own.dae
ok "$daedalus" compile model.mlir --target cuda --cuda-arch emulated-sm_90a --tuned tuned.db -o none.dae
prints "^'tuned.db' has nothing for this compilation: no plan of its kernels on machine 'default', and no schedule of its kernels on this host with 1 thread; "
same own.dae none.dae
rm none.dae
searches emulated-sm_90a

# A schedule that has more instructions than the compiler's own is where a search begins, and does not stay.
python3 - <<'END'
import sqlite3
file = sqlite3.connect("tuned.db")
file.execute("UPDATE tuned SET schedule = ? WHERE device LIKE '%=emulated\n' AND kernels LIKE 'products%'",
             ("cuda.product i8 [1, 64, 48, 64] by tensor_cores tile [128, 128, 64] warps [1, 8] stages 3",))
assert file.execute("SELECT changes()").fetchone()[0] == 1
file.commit()
END
ok "$daedalus" compile model.mlir "${on_emulated[@]}" --tuned tuned.db -o slow.dae
ok "$daedalus" compile model.mlir "${on_emulated[@]}" -o before.dae
ok "$daedalus" tune model.mlir "${on_emulated[@]}" --db tuned.db --trials 1 --driver "$emulation"
ok "$daedalus" compile model.mlir "${on_emulated[@]}" --tuned tuned.db -o after.dae
slow=$(instructions slow.dae slow) before=$(instructions before.dae before) after=$(instructions after.dae after)
[ "$slow" -gt "$before" ] || fail "the schedule in the database has $slow instructions, the compiler's own $before"
[ "$after" -le "$before" ] || fail "a slower schedule stays: $after instructions, the compiler's own $before"

# Without the device there is nothing to measure, and a database that was not there is not made.
refuses 1 "the device 'cuda-emulation' .*|no driver is registered for the device 'cuda-emulation'|'cuda-emulation'" \
  "$daedalus" tune model.mlir "${on_emulated[@]}" --db none.db
refuses 1 "the device 'cuda' cannot be opened: this host has no CUDA driver" env DAEDALUS_CUDA_DRIVER=/nowhere.so \
  "$daedalus" tune model.mlir --target cuda --db none.db
# A row that cannot be is named.
python3 - <<'END'
import sqlite3
file = sqlite3.connect("tuned.db")
file.execute("UPDATE tuned SET schedule = ? WHERE device LIKE '%=emulated\n' AND kernels LIKE 'products%'",
             ("cuda.product i8 [1, 64, 48, 64] by fma tile [32, 32, 16] stages 2",))
file.execute("INSERT INTO tuned SELECT section, 'products of i8 1 64 48 64', device, version, "
             "'cuda.product i8 [1, 64, 48, 64] by fma tile [32, 32, 16] stages 2', before, after, unit FROM tuned "
             "WHERE device LIKE '%=emulated\n' AND NOT EXISTS (SELECT 1 FROM tuned WHERE device LIKE '%=emulated\n' "
             "AND kernels LIKE 'products%') LIMIT 1")
file.commit()
END
refuses 1 "'tuned.db' has a schedule of cuda.schedule .* cannot be read|tuned.db:2: is of int8; expected by tensor_cores, by warpgroups or by threads" \
  "$daedalus" compile model.mlir "${on_emulated[@]}" --tuned tuned.db -o none.dae

# Interrupted: the database is as it was.
cp tuned.db kept.db
"$daedalus" tune "$source/examples/digits/digits.onnx" "${on_emulated[@]}" --db kept.db --driver "$emulation" \
  >/dev/null 2>&1 </dev/null &
sleep 1
kill -TERM $!
wait $!
[ $? -eq 143 ] || fail "an interrupted search does not end by the signal"
same kept.db tuned.db
finish
