#!/bin/bash
# A target and a driver from shared objects: every command takes them, and has a sentence for those that are none.
plugins=$3
. "$(dirname "$0")/../../e2e/cli_lib.sh"
target="--target-plugin=$plugins/vector_plugin.so" driver="--driver=$plugins/vector_plugin.so"
cat >sum.mlir <<'END'
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<16x64xi8>, %y: tensor<16x64xi8>) -> tensor<16x64xi8> {
  %e = tensor.empty() : tensor<16x64xi8>
  %three = arith.constant 3 : i8
  %max = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<16x64xi8>, tensor<16x64xi8>) outs(%e : tensor<16x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %v = arith.maxsi %a, %b : i8
    linalg.yield %v : i8
  } -> tensor<16x64xi8>
  %quotient = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<16x64xi8>) outs(%e : tensor<16x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %v = arith.divsi %a, %three : i8
    linalg.yield %v : i8
  } -> tensor<16x64xi8>
  return %quotient : tensor<16x64xi8>
}
END
/usr/bin/python3 -c "
import numpy
for name, seed in (('x', 1), ('y', 2)):
    numpy.save(name + '.npy', numpy.random.default_rng(seed).integers(-128, 128, (16, 64), dtype=numpy.int8))" || exit 77
inputs=(--input arg0=x.npy --input arg1=y.npy)
clock=(--clock-mhz 1000) # for models, whose kernels two targets support

compiling() {
  ok "$daedalus" compile sum.mlir "$target" "${clock[@]}" -o sum.dae
  ok "$daedalus" compile sum.mlir --target-plugin "$plugins/vector_plugin.so" "${clock[@]}" --emit linalg -o linalg.mlir
  ok "$daedalus" compile linalg.mlir "$target" "${clock[@]}" --emit dae -o dae.mlir
  ok "$daedalus" compile dae.mlir "$target" -o again.dae
  same sum.dae again.dae
  ok "$daedalus" compile sum.mlir "$target" "${clock[@]}" --vector-machine-cost 1e9 -o expensive.dae
  ok "$daedalus" info expensive.dae
  ! grep -q 'vector-machine' "$work.out" || fail 'a kernel is placed where it is expensive'
  ok "$daedalus" --help "$target"
  prints '^  --vector-machine-cost US +What a kernel costs on the vector machine'
  prints 'T:\{auto,accelerator,cpu,cuda,vector-machine\}'
}

running() {
  ok "$daedalus" run sum.mlir --target cpu "${inputs[@]}" --output cpu
  ok "$daedalus" run sum.dae "$driver" "${inputs[@]}" --output device
  prints '^ONNX node .*CPU us +device'
  prints 'vector-machine .* [0-9,]+ ticks'
  same cpu/result0.npy device/result0.npy
  ok "$daedalus" run sum.mlir "$target" "$driver" "${clock[@]}" "${inputs[@]}" --json
  prints '"device_ticks": [1-9]'
}

describing() {
  ok "$daedalus" info "$target" "$driver"
  prints '^targets: auto, accelerator, cpu, cuda, vector-machine$'
  prints '^drivers: cuda vector-machine$'
  ok "$daedalus" compile sum.mlir "$target" "$driver" "${clock[@]}" --placement
  prints '\| vector-machine \| .* ticks \| .*is one elementwise block$'
  ok "$daedalus" profile sum.mlir "$target" "$driver" "${clock[@]}"
  prints 'vector-machine .* ticks'
  ok "$daedalus" bench targets sum.mlir "$target" "$driver" "${clock[@]}" --repeat 1
  prints 'vector-machine .* ticks'
}

refusing() {
  refuses 1 "needs the clock of the accelerator, .*; give it with --clock-mhz$" \
    "$daedalus" compile sum.mlir "$target" -o none.dae
  refuses 2 '--vector-machine-cost' "$daedalus" compile sum.mlir --vector-machine-cost 1 -o none.dae
  refuses 1 "--vector-machine-cost is 'nan'; expected a number of microseconds, 0 or more" \
    "$daedalus" compile sum.mlir "$target" --vector-machine-cost nan -o none.dae
  refuses 1 "--vector-machine-cost is '-1'; expected" \
    "$daedalus" compile sum.mlir "$target" --vector-machine-cost=-1 -o none.dae
  refuses 2 "--vector-machine-cost is for models: 'sum.dae' is a package, whose kernels are placed" \
    "$daedalus" run sum.dae "$target" --vector-machine-cost 1 "${inputs[@]}"
  refuses 1 "runs on the device 'vector-machine', for which no driver is registered; registered: 'cuda'" \
    "$daedalus" run sum.dae "${inputs[@]}"
  refuses 1 "is at level dae|has the target 'vector-machine'" "$daedalus" compile dae.mlir -o none.dae
  refuses 1 "'nothing.so' cannot be loaded as a target: .*nothing.so: .*No such file" \
    "$daedalus" compile sum.mlir --target-plugin nothing.so -o none.dae
  refuses 1 "'sum.mlir' cannot be loaded as a driver: .*invalid ELF header|'sum.mlir' cannot be loaded as a driver" \
    "$daedalus" run sum.dae --driver sum.mlir "${inputs[@]}"
  local libm=/lib/x86_64-linux-gnu/libm.so.6
  refuses 1 "'$libm' is not a target: it has no symbol 'daedalusTarget'" "$daedalus" info --target-plugin $libm
  refuses 1 "'$libm' is not a driver: it has no symbol 'daedalusDriver'" "$daedalus" info --driver $libm
  refuses 1 "plugin_version.so' is a target of version 100[0-9]; expected [0-9], so build it against this Daedalus" \
    "$daedalus" info --target-plugin "$plugins/plugin_version.so"
  refuses 1 "plugin_version.so' is a driver of version 100[0-9]; expected [0-9], so build it" \
    "$daedalus" info --driver "$plugins/plugin_version.so"
  refuses 1 "plugin_taken.so' cannot be loaded as a target: the name 'cpu' is taken" \
    "$daedalus" info --target-plugin "$plugins/plugin_taken.so"
  refuses 1 "plugin_taken.so' cannot be loaded as a driver: a driver for the device 'vector-machine' is registered already" \
    "$daedalus" info "$driver" --driver "$plugins/plugin_taken.so"
  refuses 1 "a target is called 'No Name'; expected small letters, digits and dashes" \
    "$daedalus" info --target-plugin "$plugins/plugin_name.so"
  refuses 1 "plugin_name.so' cannot be loaded as a driver: a driver needs the name of its device" \
    "$daedalus" info --driver "$plugins/plugin_name.so"
  refuses 1 "the name of the option 'machine' of the target 'mistaken' is taken" \
    "$daedalus" info --target-plugin "$plugins/plugin_option.so"
  refuses 2 '' "$daedalus" info --driver
  ok "$daedalus" info "$target" "$target" "$driver" "$driver"
}

# An accelerator whose registers and memory are mapped, as an engine from a shared object: bytes and cycles of systemc.
mapped() {
  local board="$plugins/board_plugin.so" digits=$source/examples/digits
  local images=(--input "image=$digits/test_images.npy" --labels "$digits/test_labels.npy" --samples)
  ok "$daedalus" run "$digits/digits.onnx" --engine systemc "${images[@]}" --logits simulated.npy
  grep -E '^(total|fetch|load|gemm|vector|store|accuracy) ' "$work.out" >simulated.txt
  ok "$daedalus" run "$digits/digits.onnx" --engine board --driver "$board" "${images[@]}" --logits mapped.npy
  grep -E '^(total|fetch|load|gemm|vector|store|accuracy) ' "$work.out" >mapped.txt
  same simulated.npy mapped.npy
  same simulated.txt mapped.txt
  [ -s mapped.txt ] || fail "a run says no cycles"
  ok "$daedalus" info --driver "$board"
  prints 'board'
  refuses 2 '--engine: .board. is unknown; expected' "$daedalus" run sum.dae --engine board "${inputs[@]}"
}

compiling; running; describing; refusing; mapped
finish
