#!/bin/bash
# The search of schedules for kernels on a GPU, by the instructions of an emulated one: what it finds has fewer of them, and
# gives the same bytes. Without the device nothing is searched, and an interrupted search leaves its file as it was.
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

searches() { # ARCHITECTURE SCHEDULE_TO_BEGIN_WITH
  local before after
  printf 'cuda.schedule format 1 {\n%s\n}\n' "$2" >tuned.mlir
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --schedule tuned.mlir -o before.dae
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --tune tuned.mlir --driver "$emulation" -o tuned.dae
  prints '^tuned.mlir: [1-9][0-9]* of [0-9]+ kernels that take noticeable time are faster; kernels on the emulated device [0-9]+ instructions -> [0-9]+ instructions$'
  prints '^  model.mlir:35: [0-9]+ instructions -> [0-9]+ instructions$'
  prints '^tuned.dae: '
  ok "$daedalus" compile model.mlir --target cuda --cuda-arch "$1" --schedule tuned.mlir -o again.dae
  same tuned.dae again.dae
  before=$(instructions before.dae before) after=$(instructions tuned.dae tuned)
  [ "$after" -lt "$before" ] || fail "what is found for $1 has $after instructions; before it were $before"
  for file in before/*.npy; do same "$file" "tuned/${file#before/}"; done
  # What is found is where the search begins: it may be bettered, but what other models have stays.
  grep -q 'i8 \[1, 1, 1, 1\]' tuned.mlir || fail "the search drops what it does not know: $(cat tuned.mlir)"
}
other='  cuda.product i8 [1, 1, 1, 1] by threads'
searches emulated "$other
  cuda.product i8 [1, 64, 48, 64] by tensor_cores tile [128, 128, 64] warps [1, 8] stages 3"
searches emulated-sm_90a "$other
  cuda.product i8 [1, 64, 48, 64] by warpgroups tile [64, 256, 32] warps [4, 1] stages 4"

# Without the device there is nothing to measure, and a file that was not there is not made.
refuses 1 "the device 'cuda-emulation' .*|no driver is registered for the device 'cuda-emulation'|'cuda-emulation'" \
  "$daedalus" compile model.mlir "${on_emulated[@]}" --tune none.mlir -o none.dae
refuses 1 "the device 'cuda' cannot be opened: this host has no CUDA driver" env DAEDALUS_CUDA_DRIVER=/nowhere.so \
  "$daedalus" compile model.mlir --target cuda --tune none.mlir -o none.dae
# A line that cannot be is the user's own.
printf 'cuda.schedule format 1 {\n  cuda.product i8 [1, 64, 48, 64] by fma tile [32, 32, 16] stages 2\n}\n' >wrong.mlir
refuses 1 'wrong.mlir:2: is of int8; expected by tensor_cores, by warpgroups or by threads' \
  "$daedalus" compile model.mlir "${on_emulated[@]}" --tune wrong.mlir --driver "$emulation" -o none.dae

# Interrupted: the file is as it was.
printf 'cuda.schedule format 1 {\n}\n' >kept.mlir
cp kept.mlir as_it_was.mlir
"$daedalus" compile "$source/examples/digits/digits.onnx" "${on_emulated[@]}" --tune kept.mlir --driver "$emulation" -o out.dae \
  >/dev/null 2>&1 </dev/null &
sleep 1
kill -TERM $!
wait $!
[ $? -eq 143 ] || fail "an interrupted search does not end by the signal"
same kept.mlir as_it_was.mlir
[ ! -e out.dae ] || fail "an interrupted search writes a package"
finish
