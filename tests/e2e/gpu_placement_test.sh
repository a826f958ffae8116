#!/bin/bash
# Placement by price among accelerator, CPU and GPU, by calibrations with given factors, and executed with an emulated GPU:
# each gets kernels, the results are the CPU's bytes, and copies stand in graph, report and profile.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
emulation=$(dirname "$daedalus")/../lib/daedalus-cuda-emulation.so
emulated=(--cuda-arch emulated --driver "$emulation")

# gpu_calibration FILE [NAME VALUE]...: of a GPU on which a launch takes 10 ns and a step of a loop 200.
gpu_calibration() {
  cat >"$1" <<'END'
{"format": "daedalus gpu calibration 1", "gpu": "given", "date": "2026-01-01",
 "launch_ns": 10, "step_ns": 200, "bytes_per_ns": 1000, "operations_per_ns": 1000000, "fma_products_per_ns": 1000000,
 "half_products_per_ns": 1000000, "byte_products_per_ns": 1000000, "copy_ns": 1, "copied_bytes_per_ns": 1000}
END
  local file=$1
  shift
  while [ $# -gt 0 ]; do
    sed -i -E "s/\"$1\": [^,}]*/\"$1\": $2/" "$file"
    shift 2
  done
}
# A host on which every kernel takes 0.35 us.
ok "$DAEDALUS" bench --calibrate --repeats 1 -o cpu.json
sed -i -E 's/("[a-z_]+": )[0-9.e+-]+(,?)$/\10\2/; s/("kernel": )0/\10.35/; s/"threads": [^,]*/"threads": 1/' cpu.json
gpu_calibration gpu.json
cheapest=(--placement-policy cheapest --clock-mhz 1000 --cpu-calibration cpu.json)
three=("${cheapest[@]}" --target auto,cuda "${emulated[@]}")
all=("${three[@]}" --cuda-calibration gpu.json)

# Loops are expensive on this GPU, so pools are the accelerator's; convolutions are the CPU's.
ok "$DAEDALUS" compile "$digits" "${all[@]}" --placement -o mixed.dae
prints '^block/conv1 .* \| cpu +\|.* \| 0\.3 us, not [0-9.]+ us on accelerator, [0-9.]+ us on cuda +\| is cheaper here, by price$'
prints '^pool/max .* \| accelerator +\|.* us, not 0\.3 us on cpu, [0-9.]+ us on cuda +\|'
prints '^block/add .* \| cuda +\|.* ticks \| 0\.0 us, not [0-9.]+ us on accelerator, 0\.3 us on cpu +\|'
prints '^copy +for +bytes +price$'
prints '^to cuda +block/add \+ block/relu +512 +0\.0 us$'
prints '^from cuda +block/add \+ block/relu +512 +0\.0 us$'
prints '^price: [0-9.]+ us for all layers and copies where they are$' # ticks of an emulation are no time
ok "$DAEDALUS" compile "$digits" "${all[@]}" --placement --json
python3 - "$work.out" <<'END' || fail "--placement --json does not say what was copied"
import json, sys
facts = json.load(open(sys.argv[1]))
targets = [layer["target"] for layer in facts["layers"]]
assert set(targets) == {"accelerator", "cpu", "cuda"}, targets
copies = facts["copies"]
assert [copy["back"] for copy in copies] == [False, False, True, False, True], copies
assert all(copy["target"] == "cuda" and copy["price"] == (1 + copy["bytes"] / 1000) / 1000 for copy in copies), copies
price = sum(layer["prices"][layer["target"]] for layer in facts["layers"]) + sum(copy["price"] for copy in copies)
assert abs(price - facts["predicted_us"]) < 1e-9 and facts["measured_us"] is None, facts
END

# The same bytes as of the CPU alone; copies in graph and profile.
image=$source/tests/models/image.npy
ok "$DAEDALUS" run "$digits" --target cpu --input "$image" --output cpu
ok "$DAEDALUS" run mixed.dae --driver "$emulation" --input "$image" --output mixed
for file in cpu/*.npy; do same "$file" "mixed/${file#cpu/}"; done
ok "$DAEDALUS" info mixed.dae
[ "$(grep -c '^copy in step ' "$work.out")" = 5 ] || fail "info does not show 5 copies"
ok "$DAEDALUS" profile mixed.dae --driver "$emulation"
prints '^ONNX node .* CPU us +device +copied bytes +copies us$'
prints '^block/add .* cuda .* ticks +1,536 +[0-9.]+$'
prints '^total .* 1,[0-9]+ +[0-9.]+$'
ok "$DAEDALUS" profile mixed.dae --driver "$emulation" --json
prints '"copied_bytes": 1536'
prints '"copy_us": [0-9]'

# Where copies are expensive nothing is on the GPU; where the GPU is asked for by no name it is not priced.
gpu_calibration far.json copy_ns 100000
ok "$DAEDALUS" compile "$digits" "${three[@]}" --cuda-calibration far.json --placement --json
grep -q '"target": "cuda"' "$work.out" && fail "kernels are on the GPU in spite of expensive copies"
prints '"copies": \[\]'
ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --cuda-calibration none.json --placement --json
grep -q cuda "$work.out" && fail "a GPU that nobody asked for is priced"
# A choice of two leaves out the third; the GPU of a first policy is an A100's where none was measured.
ok "$DAEDALUS" compile "$digits" "${cheapest[@]}" --target cuda,cpu --cuda-calibration gpu.json "${emulated[@]}" --placement --json
grep -q '"accelerator"' "$work.out" && fail "--target cuda,cpu has the accelerator"
ok "$DAEDALUS" compile "$digits" --target accelerator,cuda --clock-mhz 1000 "${emulated[@]}" --placement --json
prints '"target": "accelerator"'
refuses 1 "'stem/conv': placement by price needs the clock of the accelerator, .*; give it with --clock-mhz$" \
  "$DAEDALUS" compile "$digits" --target accelerator,cuda "${emulated[@]}" --placement

refuses 2 "target 'cuda' occurs twice in 'cuda,cpu,cuda'; expected each once" "$DAEDALUS" compile "$digits" --target cuda,cpu,cuda
refuses 2 "target 'gpu' is unknown .did you mean 'cpu'\?.; expected auto, accelerator, cpu or cuda" "$DAEDALUS" compile "$digits" --target auto,gpu
refuses 2 "target '' is unknown" "$DAEDALUS" compile "$digits" --target cuda,
refuses 2 "--cuda-calibration is for models: 'mixed.dae' is a package, which was placed when it was compiled" \
  "$DAEDALUS" run mixed.dae --cuda-calibration gpu.json

refuses_calibration() { # SENTENCE FILE
  refuses 1 "placement by price: $1; make one with daedalus bench --calibrate --target cuda" \
    "$DAEDALUS" compile "$digits" "${cheapest[@]}" --target auto,cuda --cuda-calibration "$2"
}
refuses_calibration "there is no calibration of the GPU: .*No such file or directory" none.json
head -c 100 gpu.json >cut.json
refuses_calibration "the calibration 'cut.json' is not a JSON object" cut.json
sed 's/gpu calibration 1/gpu calibration 9/' gpu.json >version.json
refuses_calibration "the calibration 'version.json' has the format 'daedalus gpu calibration 9'; expected 'daedalus gpu calibration 1'" \
  version.json
refuses_calibration "the calibration 'cpu.json' has the format 'daedalus calibration 1'; expected .*" cpu.json
sed 's/"gpu": "given", //' gpu.json >nameless.json
refuses_calibration "the calibration 'nameless.json' lacks its gpu or its date" nameless.json
sed 's/"step_ns": 200, //' gpu.json >short.json
refuses_calibration "the calibration 'short.json' lacks the number 'step_ns'" short.json
for value in 0 -1; do
  gpu_calibration bad.json copy_ns "$value"
  refuses_calibration "the calibration 'bad.json' says $value.0+ for 'copy_ns'; expected a number above 0" bad.json
done
gpu_calibration text.json copy_ns '"fast"'
refuses_calibration "the calibration 'text.json' lacks the number 'copy_ns'" text.json

# The GPU's column of bench targets: ticks of an emulation, or why there is none.
ok "$DAEDALUS" bench targets "$digits" --repeat 1 "${emulated[@]}"
prints '^ONNX node .* cuda +CPU us +spread$'
prints '^block/add .* [0-9,]+ ticks +[0-9.]+ '
prints '^cuda: the model compiled for it alone, each kernel by the device.s own clock, without copies$'
ok env DAEDALUS_CUDA_DRIVER=/nowhere.so "$DAEDALUS" bench targets "$digits" --repeat 1
prints '^block/add .* - +[0-9.]+ +-$'
prints "^cuda: not measured: the device 'cuda' cannot be opened: this host has no CUDA driver"

# Without a GPU nothing is measured.
refuses 1 "the device 'cuda' cannot be opened: this host has no CUDA driver" env DAEDALUS_CUDA_DRIVER=/nowhere.so \
  "$DAEDALUS" bench --calibrate --target cuda -o measured.json
[ ! -e measured.json ] || fail "a calibration is written without a GPU"
refuses 2 '--target: .gpu. is unknown .did you mean .cpu.\?.; expected cpu or cuda' "$DAEDALUS" bench --calibrate --target gpu
refuses 2 'requires --calibrate' "$DAEDALUS" bench --target cuda
finish
