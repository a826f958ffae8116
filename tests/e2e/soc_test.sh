#!/bin/bash
# The engines soc and soc-rtl from the command line: the outputs of systemc, the same cycles on both, steps that add up,
# and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx
image=image=$source/tests/models/image.npy
if [ ! -e "$(dirname "$daedalus")/../lib/soc/processor.so" ]; then
  echo "the build has no processor for the simulated system: scripts/fetch_picorv32.sh could not fetch it"
  [ -n "${DAEDALUS_NEEDS_SOC:-}" ] && exit 1
  exit 77
fi

ok "$DAEDALUS" compile "$model" -o digits.dae
ok "$DAEDALUS" run digits.dae --input "$image" --output expected
ok "$DAEDALUS" run digits.dae --input "$image" --engine soc --output modelled
prints '^ran digits.dae on soc, machine default: [0-9,]+ cycles from reset to exit, [0-9,]+ of them of the accelerator$'
prints '^step +cycles +before +accelerator +latency +behind$'
prints '^processor: [0-9,]+ instructions; asleep for [0-9,]+ cycles; '
ok "$DAEDALUS" run digits.dae --input "$image" --engine soc-rtl --output clocked
for output in expected/*; do
  same "$output" "modelled/$(basename "$output")"
  same "$output" "clocked/$(basename "$output")"
done

ok "$DAEDALUS" run digits.dae --input "$image" --engine soc --json
cp "$work.out" soc.json
ok "$DAEDALUS" run digits.dae --input "$image" --engine soc-rtl --json
cp "$work.out" soc_rtl.json
ok "$DAEDALUS" run digits.dae --input "$image" --json
cp "$work.out" systemc.json
python3 - <<'END' || fail "the reports of soc, soc-rtl and systemc do not fit each other"
import json
soc, rtl, alone = (json.load(open(f"{name}.json")) for name in ("soc", "soc_rtl", "systemc"))
assert soc.pop("engine") == "soc" and rtl.pop("engine") == "soc-rtl"
assert soc == rtl, "the engines differ"
assert soc["accelerator_cycles"] == alone["cycles"], "the accelerator takes as long as alone"
assert sum(step["cycles"] for step in soc["steps"]) == soc["cycles"], "the steps add up to the total"
for step in soc["steps"][1:-1]:
    assert step["cycles"] == step["counted"], f"{step['name']} is counted alike inside and outside"
(run,) = (step for step in soc["steps"] if "program" in step)
assert run["processor_before"] + run["program"] + run["interrupt_latency"] + run["processor_behind"] == run["cycles"]
assert soc["printed"] == "ok\n"
END

# Behind one boot, a further inference costs the processor less, and gives the same.
ok "$DAEDALUS" run digits.dae --input "$image" --engine soc --inferences 3 --output again
prints '^the first result is there after [0-9,]+ cycles, each further one after [0-9,]+ more, 11.8% of them of the processor alone$'
for output in expected/*; do same "$output" "again/$(basename "$output")"; done

# A firmware of one's own: the runner, which finds no job in an empty DRAM.
firmware=$(dirname "$daedalus")/../lib/soc/runner.elf
refuses 1 "runner.elf': the firmware ended with no_job \(it printed: error: no_job\)" "$DAEDALUS" run "$firmware" --engine soc
refuses 2 "which brings its inputs" "$DAEDALUS" run "$firmware" --engine soc --input "$image"
refuses 1 "it is no executable ELF file for a RISC-V processor of 32 bits" "$DAEDALUS" run "$DAEDALUS" --engine soc

# A network that was exported, with its own firmware: the same outputs, and the same cycles on both engines.
exported() { # NAME MODEL NPY OUTPUT
  ok /usr/bin/python3 -c 'import numpy, sys; numpy.load(sys.argv[1]).tofile(sys.argv[2])' "$3" "$1.bin"
  ok "$DAEDALUS" run "$2" --input "$3" --output "$1_expected"
  ok "$DAEDALUS" export "$2" -o "$1_folder" --cpu rv32imc --name "$1"
  ok "$source/examples/firmware/build.sh" "$1_folder" "$1" "$1.bin" "$1.elf"
  ok "$DAEDALUS" run "$1.elf" --engine soc-rtl --json
  cp "$work.out" "$1_rtl.json"
  ok "$DAEDALUS" run "$1.elf" --engine soc --json
  cp "$work.out" "$1_soc.json"
  /usr/bin/python3 - "$1" "$4" <<'END' || fail "the firmware of $1 does not run alike on soc, soc-rtl and systemc"
import json, sys
import numpy
name, output = sys.argv[1:]
soc, rtl = (json.load(open(f"{name}_{engine}.json")) for engine in ("soc", "rtl"))
assert soc.pop("engine") == "soc" and rtl.pop("engine") == "soc-rtl"
assert soc == rtl, "the engines differ"
expected = " ".join(str(value) for value in numpy.load(f"{name}_expected/{output}.npy").ravel())
printed, stack = soc["printed"].rstrip("\n").rsplit("\n", 1)
assert printed == f"{output}: {expected}", f"printed {printed}, expected {expected}"
used, promised = (int(stack.split()[at]) for at in (1, 3))
assert 128 < used <= promised, f"the stack is {used} bytes deep, promised are {promised}"
END
}
exported digits "$model" "$source/tests/models/image.npy" logits
ok "$DAEDALUS" run digits.elf --engine soc
prints '^logits: -?[0-9]'
prints '^program +start +accelerator +latency$'
# One with a Transpose on the processor in its middle.
ok /usr/bin/python3 "$source/tests/e2e/mixed_net.py" mixed.onnx
ok /usr/bin/python3 -c 'import numpy
numpy.save("mixed.npy", numpy.random.default_rng(1).integers(-128, 128, (1, 8, 8, 3)).astype(numpy.int8))'
exported mixed mixed.onnx mixed.npy classes

# What users get wrong.
refuses 2 "neither --samples nor --timing-only" "$DAEDALUS" run digits.dae --input "$image" --engine soc --samples
refuses 2 "neither --samples nor --timing-only" "$DAEDALUS" run digits.dae --engine soc --timing-only
refuses 1 "but the input 'image' is int8" "$DAEDALUS" run digits.dae --engine soc \
  --input "image=$source/tests/models/image_wrong_shape.npy"
refuses 1 "the package was made for the machine 'default', this is 'tiny'; compile" "$DAEDALUS" run digits.dae \
  --input "$image" --engine soc --machine tiny
ok "$DAEDALUS" compile "$model" --target cpu -o cpu.dae
refuses 1 "'cpu.dae': the package has no program for the accelerator" "$DAEDALUS" run cpu.dae --input "$image" --engine soc
refuses 2 "soc-rtl" "$DAEDALUS" run digits.dae --input "$image" --engine soc-verilog
refuses 2 "needs --engine soc or soc-rtl, not systemc" "$DAEDALUS" run digits.dae --input "$image" --inferences 2
finish
