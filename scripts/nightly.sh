#!/bin/bash
# nightly.sh [--resume] [--whole | --share] [STEP...]: what takes too long for every change.
#
# Without a STEP, what one night has time for: of the counts below a seventh, with other seeds and other parts of the lists
# each night, and of the steps in turn those whose turn it is; a week has seen all of these. --whole runs all of it, which
# takes most of a day; a STEP that is named is run whole, too, with --share as in one night.
# Each step writes build/nightly/STEP.log; a table ends the run, and the exit status is 1 where a step failed.
# --resume: a step that passed on the same sources, in a run that was ended before, is not run again.
# DAEDALUS_NIGHT: the number of the night, which says what is its share (days since 1970). DAEDALUS_FUZZ_SECONDS: how
# long each fuzz target runs (900; a night: 60). DAEDALUS_FUZZ_TARGETS: which ones (all).
. "$(dirname "$0")/setup.sh"

# A step is a line here and a function step_NAME below: a command sequence that ends at its first failure. What it
# prints is its log; the log's last line is shown in the table.
steps=(
  "release   the release preset with every test"
  "cosim     5000 random programs on each machine, systemc and rtl in lockstep, and resets in every cycle"
  "proofs    10000 mutated programs that are accepted, run twice on every engine; the most expensive proofs of a MiB"
  "machines  30 machines at the ends of what isa.yaml allows, each Verilated, three engines in lockstep; 200 on systemc against the clocked model"
  "faulty    every planted bug of the RTL on two machines (a night: an eighth of them on the second one); tests/faulty_hardware/table.py takes build/nightly/faulty.log"
  "timing    20000 random programs on each machine, the RTL against the clocked model of the timing rules"
  "intervals 100000 random programs whose memory's latencies vary, in 2 million runs, against their intervals; those of every network"
  "dram      2000 random programs on each of four machines with a DRAM, systemc and rtl in lockstep"
  "soc       1000 random programs on soc and soc-rtl while the processor disturbs the memory at random"
  "graphs    random graphs 0 to 500 on accelerator and CPU against a plain reference and ONNX's definition; random tensor programs and kernels; placements"
  "bounds    every schedule of 300 small layers: none takes fewer cycles than the bound"
  "sliding   500 random depthwise layers on machines with windows of GEMM, 5000 with weights that leave int8: the bytes of plain loops; 500 depthwise, grouped and pooled ones of ONNX: those of ONNX Runtime (PyPI), but for ties"
  "libraries the compiler's unit tests, random graphs and ONNX's node tests with products by the libraries that this host has"
  "plans     the planner's package of every benchmark against its replayed plan; 5000 random edits of a plan"
  "asan      every test under the address and undefined-behaviour sanitizers"
  "mutants   500 packages of each kind with one field changed, under the same sanitizers"
  "onnx      5000 mutants each of ONNX's one-operator models and of networks, compiled, run and judged"
  "odd       2000 random graphs with odd shapes and constants on all targets and levels, against ONNX's evaluator and ONNX Runtime (PyPI)"
  "certify   the cycles of every network in 5 runs on systemc, of every convolution in 20 on rtl too"
  "emulated  every network on an emulated GPU, which stops at races and accesses out of bounds, against the CPU: the same bytes"
  "traces    traces of digits and ResNet-50, read by Perfetto's own description of its format (PyPI)"
  "sweeps    daedalus explore, of whose processes one or two are killed at random moments in each of 70 sweeps, on up to 8 ranks"
  "endurance 10000 inferences in threads, in sessions one after the other and in two processes: memory holds steady"
  "reports   pages of profile and explore in headless Chromium: numbers, zoom, ranges, keyboard, colours; installs chromium and Selenium"
  "tsan      the runtime's tests under the thread sanitizer"
  "fuzz      libFuzzer on every reader of input (tests/fuzz), installs clang-19"
)
# The first is run in the nights 0, 7, 14, the second in the nights 1, 8, 15, and so on.
steps_in_turn=(
  "coverage  300 programs on tiny with counts of the RTL's lines, branches, bits and stages: what tests/coverage does not list is reached"
  "area      yosys counts the gates of tiny and default again, against hw/area/counts.csv"
  "asic      tiny in OSU's 180 nm cells, timed before routing, against hw/asic/results.json; installs opensta"
  "fpga      tiny mapped, placed and routed for an LFE5U-85F with 5 seeds (nextpnr of PyPI), against hw/fpga/gates.csv"
  "netlist   the netlist that fpga places runs 200 random programs in lockstep with its RTL and systemc; one with other LUTs does not; the board's runs digits"
  "search    four spaces of 5040 to 8640 machines, enumerated with today's compiler and searched with a twentieth of the evaluations, beside NSGA-II; installs libpagmo-dev"
  "matcher   every condition under which the accelerator takes a kernel, lost one at a time: a test has to fail"
  "levels    the compiler's unit tests, random graphs and ONNX's tests with code for each level of this host, on 1 and 2 threads"
  "qemu      packages for lower levels of x86-64 on processors that have no more, emulated"
  "exported  networks exported by PyTorch and quantized by ONNX Runtime (PyPI, 6 GB), whole and node by node; 3 hours"
  "export    firmware of every operator and every 5th of ONNX's node tests for RISC-V, of every 40th test for Cortex-M and AArch64, of networks for all, emulated; installs gcc-arm-none-eabi and others"
  "elements  every operator with extents of 0, on all targets and levels, against the newest ONNX's evaluator (PyPI)"
  "newest    the newest ONNX's node tests, which PyPI's onnx makes: those that passed pass, none is wrong"
  "cuda      NVIDIA's assembler (PyPI) on the code of every network and of ONNX's tests; docs/cuda_kernels.md is of today's code"
  "tuning    every plan of 12 spaces: the learned search is within 1% of the best in 5% of the trials; five networks tuned on vta and tiny"
  "formal    every proof of hw/formal, LOAD's generator included; 26 planted bugs that the proofs have to find"
  "registers daedalus.rdl, read by PyPI's compiler of SystemRDL, against the C header"
  "tidy      clang-tidy's checks on ISA, runtime and simulators; installs clang-tidy"
)

# nth: of how many nights with this step tonight's is the last, which says what is its share.
nights=7 night=${DAEDALUS_NIGHT:-$(($(date +%s) / 86400))} nth=0 whole=0

if_whole() { # VALUE OTHERWISE
  if [ "$whole" -eq 1 ]; then echo "$1"; else echo "$2"; fi
}

# How many of COUNT are run.
share() { # COUNT
  if_whole "$1" $((($1 + nights - 1) / nights))
}

# Where they begin: others in each of seven nights.
begin() { # COUNT
  if_whole 0 $((nth % nights * $(share "$1")))
}

# Tonight's items of a list, a line each.
some() { # ITEM...
  local at=0 item
  for item in "$@"; do
    if [ "$whole" -eq 1 ] || [ $((at % nights)) -eq $((nth % nights)) ]; then echo "$item"; fi
    at=$((at + 1))
  done
}

for room in hardware compiler networks product; do
  . "$root/scripts/nightly/$room.sh"
done

usage() {
  sed -n '2,12s/^# \{0,1\}//p' "$0"
  echo "Steps of every night:"
  printf '  %s\n' "${steps[@]}"
  echo "Steps in turn:"
  printf '  %s\n' "${steps_in_turn[@]}"
}

# What a run has to have in common with an earlier one: every file that git knows, or could be told of.
sources_digest() {
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 sha1sum 2>/dev/null | sha1sum | cut -d ' ' -f 1)
}

# Those of tonight, a line each.
tonights_steps() {
  local at
  printf '%s\n' "${steps[@]%% *}"
  for at in "${!steps_in_turn[@]}"; do
    if [ "$whole" -eq 1 ] || [ $((at % nights)) -eq $((night % nights)) ]; then echo "${steps_in_turn[at]%% *}"; fi
  done
}

is_in_turn() { # STEP
  printf '%s\n' "${steps_in_turn[@]%% *}" | grep -qx "$1"
}

resumes=0 named_are_whole=1
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --resume) resumes=1 ;;
    --whole) whole=1 ;;
    --share) whole=0 named_are_whole=0 ;;
    *) break ;;
  esac
  shift
done
for step in "$@"; do
  declare -F "step_$step" >/dev/null || { echo "nightly.sh: error: there is no step '$step'; the steps are:" \
    "${steps[@]%% *}" "${steps_in_turn[@]%% *}" >&2; exit 2; }
done
if [ $# -gt 0 ]; then
  if [ "$named_are_whole" -eq 1 ]; then whole=1; fi
  chosen=("$@")
else
  mapfile -t chosen < <(tonights_steps)
fi
share_of=$(if_whole whole "night $night")

mkdir -p "$root/build/nightly"
cd "$root"
table=() failed=0
install_packages
digest=$(sources_digest) passed=build/nightly/passed # lines of it: a digest, what share, a step and its row of the table
for step in "${chosen[@]}"; do
  if [ "$resumes" -eq 1 ] && row=$(grep "^$digest, $share_of, $step: " "$passed" 2>/dev/null | tail -n 1); then
    say "$step passed before"
    table+=("${row#*: }")
    continue
  fi
  log=build/nightly/$step.log start=$SECONDS result=passed
  nth=$night
  if is_in_turn "$step"; then nth=$((night / nights)); fi
  say "$step ($log)"
  set +e # not `if (...)`, in which the step would go on after a failure
  (set -e; "step_$step") >"$log" 2>&1 </dev/null
  [ $? -eq 0 ] || { result=FAILED failed=1; tail -n 20 "$log"; }
  set -e
  row=$(printf '%-10s %-6s %6d s  %s' "$step" "$result" $((SECONDS - start)) "$(tail -n 1 "$log" | cut -c -90)")
  table+=("$row")
  if [ "$result" = passed ]; then echo "$digest, $share_of, $step: $row" >>"$passed"; fi
done
say "Nightly run, $share_of: ${#chosen[@]} of $((${#steps[@]} + ${#steps_in_turn[@]})) steps"
printf '%s\n' "${table[@]}"
exit "$failed"
