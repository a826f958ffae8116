#!/bin/bash
# nightly.sh [--resume] [STEP...]: what takes too long for every change. Without a STEP, all, one after the other.
#
# Each step writes build/nightly/STEP.log; a table ends the run, and the exit status is 1 where a step failed.
# --resume: a step that passed on the same sources, in a run that was ended before, is not run again.
# DAEDALUS_FUZZ_SECONDS: how long each fuzz target runs (900); DAEDALUS_FUZZ_TARGETS: which ones (all). Steps:
. "$(dirname "$0")/setup.sh"

# A step is a line here and a function step_NAME below: a command sequence that ends at its first failure. What it
# prints is its log; the log's last line is shown in the table.
steps=(
  "release   the release preset with every test"
  "cosim     5000 random programs on each machine, systemc and rtl in lockstep, and resets in every cycle"
  "proofs    10000 mutated programs that are accepted, run twice on every engine; the most expensive proofs of a MiB"
  "machines  30 machines at the ends of what isa.yaml allows, each Verilated, three engines in lockstep; 200 on systemc against the clocked model"
  "faulty    every planted bug of the RTL on two machines; tests/faulty_hardware/table.py takes build/nightly/faulty.log"
  "timing    20000 random programs on each machine, the RTL against the clocked model of the timing rules"
  "intervals 100000 random programs whose memory's latencies vary, in 2 million runs, against their intervals; those of every network"
  "dram      2000 random programs on each of four machines with a DRAM, systemc and rtl in lockstep"
  "soc       1000 random programs on soc and soc-rtl while the processor disturbs the memory at random"
  "area      yosys counts the gates of tiny and default again, against hw/area/counts.csv; some 10 minutes"
  "fpga      tiny mapped, placed and routed for an LFE5U-85F with 5 seeds (nextpnr of PyPI), against hw/fpga/gates.csv"
  "graphs    random graphs 0 to 500 on accelerator and CPU against a plain reference and ONNX's definition; random tensor programs and kernels; placements"
  "bounds    every schedule of 300 small layers: none takes fewer cycles than the bound"
  "sliding   500 random depthwise layers on machines with windows of GEMM: the bytes of plain loops"
  "levels    the compiler's unit tests, random graphs and ONNX's tests with code for each level of this host, on 1 and 2 threads"
  "qemu      packages for lower levels of x86-64 on processors that have no more, emulated"
  "libraries the compiler's unit tests, random graphs and ONNX's node tests with products by the libraries that this host has"
  "matcher   every condition under which the accelerator takes a kernel, lost one at a time: a test has to fail"
  "search    four spaces of 5040 to 8640 machines, enumerated with today's compiler and searched with a twentieth of the evaluations, beside NSGA-II; installs libpagmo-dev"
  "plans     the planner's package of every benchmark against its replayed plan; 5000 random edits of a plan"
  "tidy      clang-tidy's checks on ISA, runtime and simulators; installs clang-tidy"
  "asan      every test under the address and undefined-behaviour sanitizers"
  "mutants   500 packages of each kind with one field changed, under the same sanitizers"
  "onnx      5000 mutants each of ONNX's one-operator models and of networks, compiled, run and judged"
  "newest    the newest ONNX's node tests, which PyPI's onnx makes: those that passed pass, none is wrong"
  "odd       2000 random graphs with odd shapes and constants on all targets and levels, against ONNX's evaluator and ONNX Runtime (PyPI)"
  "export    firmware of every operator and every 5th of ONNX's node tests for RISC-V, of every 40th test for Cortex-M and AArch64, of networks for all, emulated; installs gcc-arm-none-eabi and others"
  "elements  every operator with extents of 0, on all targets and levels, against the newest ONNX's evaluator (PyPI)"
  "exported  networks exported by PyTorch and quantized by ONNX Runtime (PyPI, 6 GB), whole and node by node; 3 hours"
  "certify   the cycles of every network in 5 runs on systemc, of every convolution in 20 on rtl too"
  "cuda      NVIDIA's assembler (PyPI) on the code of every network and of ONNX's tests; docs/cuda_kernels.md is of today's code"
  "emulated  every network on an emulated GPU, which stops at races and accesses out of bounds, against the CPU: the same bytes"
  "traces    traces of digits and ResNet-50, read by Perfetto's own description of its format (PyPI)"
  "tuning    every plan of 12 spaces: the learned search is within 1% of the best in 5% of the trials; five networks tuned on vta and tiny"
  "sweeps    daedalus explore, of whose processes one or two are killed at random moments in each of 70 sweeps, on up to 8 ranks"
  "endurance 10000 inferences in threads, in sessions one after the other and in two processes: memory holds steady"
  "reports   pages of profile and explore in headless Chromium: numbers, zoom, ranges, keyboard, colours; installs chromium and Selenium"
  "tsan      the runtime's tests under the thread sanitizer"
  "fuzz      libFuzzer on every reader of input (tests/fuzz), installs clang-19"
)

step_release() {
  build release
  ctest --preset release -j "$(parallelism)"
}

step_cosim() {
  local machine
  build release
  for machine in tiny default vta large; do
    build/release/bin/daedalus cosim --programs 5000 --seed 1 --machine "$machine"
  done
  DAEDALUS_RESET_PROGRAMS=10 build/release/bin/cosim_test --gtest_filter='Reset.*'
}

step_proofs() {
  build release
  DAEDALUS_RUN_TWICE_PROGRAMS=10000 build/release/bin/run_twice_test --gtest_brief=1
  DAEDALUS_PROOF_INSTRUCTIONS=16384 build/release/bin/isa_unit --gtest_filter='*ProofCost*' --gtest_brief=1
}

# The day decides which: the next two covering arrays every night, all pairs of ends in each.
step_machines() {
  local seed=${DAEDALUS_COSIM_SEED:-$(($(date +%s) / 86400 * 2))}
  build release
  DAEDALUS_TIMING_MACHINES=200 DAEDALUS_TIMING_SEED=$seed build/release/bin/clocked_test --gtest_filter='*Array'
  DAEDALUS_COSIM_MACHINES=30 DAEDALUS_COSIM_SEED=$seed \
    build/release/bin/cosim_test --gtest_filter='MachineArray.*:KeptPrograms.*'
}

step_faulty() {
  build release
  DAEDALUS_FAULTY_HARDWARE_ON_BOTH=1 build/release/bin/faulty_hardware_test
}

step_timing() {
  build release
  DAEDALUS_TIMING_PROGRAMS=20000 build/release/bin/rtl_timing_test
}

step_intervals() {
  build release
  DAEDALUS_INTERVAL_PROGRAMS=100000 build/release/bin/interval_test --gtest_filter='IntervalTest.*'
  tests/benchmarks/intervals.sh build/release
}

step_soc() {
  build release
  DAEDALUS_NEEDS_SOC=1 DAEDALUS_SOC_PROGRAMS=1000 build/release/bin/soc_test --gtest_filter='Contention.*'
}

step_area() {
  build release
  hw/area/count.py build/release tiny default --check
}

step_fpga() {
  build release
  hw/fpga/pnr.py build/release --check
}

step_graphs() {
  build release
  DAEDALUS_RANDOM_GRAPHS=0:500 build/release/bin/random_graphs_test --gtest_brief=1
  DAEDALUS_RANDOM_PROGRAMS=500:5000 build/release/bin/random_programs_test --gtest_brief=1
  DAEDALUS_NEAR_MISSES=500:5000 build/release/bin/near_misses_test --gtest_brief=1
  DAEDALUS_PLACEMENT_GRAPHS=1000 build/release/bin/placement_test --gtest_brief=1
  DAEDALUS_RANDOM_KERNELS=20000 build/release/bin/accelerator_unit --gtest_filter='RandomTexts.*' --gtest_brief=1
}

step_dram() {
  build release
  DAEDALUS_COSIM_PROGRAMS=2000 build/release/bin/cosim_test --gtest_filter='Dram*'
}

step_sliding() {
  build release
  DAEDALUS_SLIDING_LAYERS=500 build/release/bin/accelerator_unit --gtest_filter='Sliding.RandomLayers*'
}

step_bounds() {
  build release
  DAEDALUS_BOUND_LAYERS=300 build/release/bin/accelerator_unit --gtest_filter='Bounds.*'
}

step_sweeps() {
  build release
  python3 tests/sweeps/kill_test.py build/release/bin/daedalus examples/digits/digits.onnx --workers 30 --ranks 20 --writer 20
  sweep_of_networks
  exact_sweep
}

# 50 points of a sweep by compile and run, 5 of them on the hardware itself.
exact_sweep() {
  local work
  work=$(mktemp -d)
  printf '%s\n' 'bases: [default, tiny]' 'keys: {n: [8, 16], bus_bytes: [8, 16], read_latency: [8, 64, 200], queue_depth: [2, 8]}' \
    'derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(2, bus_bytes / 4)"}' >"$work/space.yaml"
  build/release/bin/daedalus explore "$work/space.yaml" examples/digits/digits.onnx build/release/models/networks/squeezenet.onnx \
    --db "$work/sweep.db" --csv "$work/sweep.csv"
  tests/sweeps/exact_test.py "$work/sweep.csv" build/release/bin/daedalus --points 50 --rtl 5
  rm -r "$work"
}

step_tuning() {
  build release
  build/release/bin/plan_spaces_benchmark
  tests/benchmarks/tuned_networks.py build/release/bin/daedalus build/release/models/networks --trials 200
  mkdir -p build/nightly/tuning
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/models/efficientnet.py build/nightly/tuning/efficientnet_b0.onnx
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/e2e/report/vit.py build/nightly/tuning/deit_tiny.onnx
  tests/benchmarks/tuned_networks.py build/release/bin/daedalus build/nightly/tuning efficientnet_b0 deit_tiny --trials 200
}

# Three networks on four machines, below 4 GB.
sweep_of_networks() {
  local work networks=build/release/models/networks
  work=$(mktemp -d)
  printf '%s\n' 'keys: {n: [8, 16], read_latency: [16, 64]}' \
    'derive: {bus_bytes: 8, inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: 2}' >"$work/space.yaml"
  python3 tests/sweeps/memory_test.py 4000 build/release/bin/daedalus explore "$work/space.yaml" "$networks"/resnet18.onnx \
    "$networks"/resnet50.onnx "$networks"/mobilenet_v2.onnx --db "$work/sweep.db" --workers 4
  rm -r "$work"
}

step_endurance() {
  build release
  DAEDALUS_ENDURANCE_RUNS=10000 build/release/bin/endurance_test
}

step_search() {
  packages=(libpagmo-dev)
  install_packages
  build release
  tests/unit/explore/spaces/make.sh build/nightly/spaces
  DAEDALUS_SEARCH_SPACES=all DAEDALUS_SEARCH_TABLES=build/nightly/spaces build/release/bin/search_tables_test
  DAEDALUS_SEARCH_SPACES=all DAEDALUS_SEARCH_TABLES=build/nightly/spaces build/release/bin/search_peers_test
}

step_plans() {
  build release
  DAEDALUS_PLANS=all DAEDALUS_PLAN_EDITS=5000 build/release/bin/plans_test --gtest_brief=1
}

# Debian's onnx has no reference evaluator: with DAEDALUS_ONNX_PYTHON, a Python that has PyPI's onnx 1.16 or newer,
# what is taken is judged too.
step_onnx() {
  local kind
  build release
  /usr/bin/python3 tests/e2e/bad_nodes/bad_nodes_test.py build/release/bin/daedalus build/release/bin/onnx_batch --all
  for kind in node networks; do
    "${DAEDALUS_ONNX_PYTHON:-/usr/bin/python3}" tests/onnx_mutants/mutants.py build/release/bin/onnx_batch \
      --from "$kind" --count 5000 --seed 1 --keep build/nightly/onnx
  done
}

step_newest() {
  build release
  tests/e2e/newest_onnx/newest_onnx.py
}

step_odd() {
  build release
  /usr/bin/python3 tests/odd_graphs/odd_graphs.py build/release/bin/onnx_batch --graphs 0:2000 --onnxruntime \
    --keep build/nightly/odd
}

step_elements() {
  build release
  /usr/bin/python3 tests/e2e/no_elements/no_elements_test.py build/release/bin/daedalus build/release/bin/onnx_batch --judge
}

step_exported() {
  build release
  tests/e2e/exported/exported.py
  tests/e2e/exported/nodes.py
  tests/e2e/exported/tutorial.py --daedalus build/release/bin/daedalus
}

# Clang 14 does not know the levels of x86-64 that the CPU driver's host.cpp asks GCC's builtin for.
step_tidy() {
  packages=(clang-tidy)
  install_packages
  build release
  git ls-files isa/lib isa/tools runtime simulator | grep '\.cpp$' | grep -v '^runtime/drivers/cpu/host.cpp$' |
    xargs -P "$(parallelism)" -n 4 clang-tidy -p build/release --quiet
  echo "no finding"
}

step_asan() {
  build asan
  ctest --preset asan -j "$(parallelism)"
}

# Those of this host; what it lacks has to be refused with a sentence.
levels_of_host() {
  local level said
  for level in x86-64-v2 x86-64-v2-emulated-amx x86-64-v3 x86-64-v4 x86-64-v4-vnni x86-64-v4-amx; do
    said=$(build/release/bin/daedalus check "$onnx_data/node/test_relu" --target cpu --cpu "$level")
    case $said in
      passed*) echo "$level" ;;
      refused*"cannot run here: its code needs"*) echo "this host lacks $level: $said" >&2 ;;
      *) echo "$level: neither passed nor refused as a level of other hosts: $said" >&2; return 1 ;;
    esac
  done
}

# As many of ONNX's tests pass as at the host's own level.
step_levels() {
  local level threads levels expected passed onnx_data=/usr/share/libonnx-testdata/data
  build release
  levels=$(levels_of_host)
  expected=$(onnx_at native 1)
  for level in $levels; do
    for threads in 1 2; do
      say "$level, threads: $threads"
      export DAEDALUS_CPU_LEVELS=$level DAEDALUS_CPU_THREADS=$threads
      build/release/bin/compiler_unit --gtest_brief=1
      build/release/bin/random_graphs_test --gtest_brief=1
      passed=$(onnx_at "$level" "$threads")
      [ "$passed" = "$expected" ] || { echo "ONNX's tests: $passed; at the host's own level: $expected"; return 1; }
    done
  done
  echo "at each of" $levels "on 1 and 2 threads, ONNX's tests $expected"
}

onnx_at() { # LEVEL THREADS: prints how many passed, were refused and are wrong; fails where one is
  local suites=("$onnx_data"/{node,simple,pytorch-converted,pytorch-operator})
  build/release/bin/daedalus check "${suites[@]}" --tolerance 0 --target cpu --cpu "$1" --threads "$2" >build/nightly/onnx_at.txt ||
    { grep '^wrong' build/nightly/onnx_at.txt >&2; return 1; }
  tail -n 1 build/nightly/onnx_at.txt
}

step_export() {
  local emulate=tests/export/emulate.py data=/usr/share/libonnx-testdata/data/node work
  work=$(mktemp -d)
  packages=(gcc-arm-none-eabi gcc-aarch64-linux-gnu qemu-system-arm)
  install_packages
  build release
  "$emulate" build/release/bin/daedalus "$root" --node-tests $data --share 5 --every-operator --cpu rv32imac --cpu rv64gc
  "$emulate" build/release/bin/daedalus "$root" --node-tests $data --share 40 --cpu cortex-m4 --cpu cortex-m55 --cpu aarch64
  /usr/bin/python3 -B tests/export/small_mobilenet.py "$work/mobilenet.onnx"
  "$emulate" build/release/bin/daedalus "$root" examples/digits/digits.onnx "$work/mobilenet.onnx" \
    build/release/models/networks/{mlp,squeezenet}.onnx \
    --cpu rv32imc --cpu rv32imac --cpu rv64gc --cpu cortex-m4 --cpu cortex-m55 --cpu aarch64 --cpu x86-64-v2
  rm -r "$work"
}

step_qemu() {
  build release
  /usr/bin/python3 tests/e2e/qemu_levels/qemu_levels.py --daedalus build/release/bin/daedalus \
    --graphs build/release/bin/random_graph_models --models build/release/models
}

step_libraries() {
  local library
  build release
  for library in onednn openblas; do
    if build/release/bin/daedalus info | grep '^libraries: ' | grep -qi "no $library"; then
      echo "skipped $library, which this host lacks"
      continue
    fi
    DAEDALUS_CPU_LIBRARIES=$library build/release/bin/compiler_unit --gtest_brief=1 \
      --gtest_filter='Random/FloatProducts.*:CpuKernels*:Attention*:Quantizers*'
    DAEDALUS_CPU_LIBRARIES=$library build/release/bin/random_graphs_test --gtest_brief=1
    build/release/bin/daedalus check /usr/share/libonnx-testdata/data/node --tolerance 0 --target cpu --cpu-library "$library"
  done
}

# In a copy of the sources, which are changed while it runs.
step_matcher() {
  local tree=$root/build/matcher
  rm -rf "$tree"
  mkdir -p "$tree"
  git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$tree")
  cmake -S "$tree" --preset release
  "$tree/tests/matcher_mutants/matcher_mutants.py" --tree "$tree"
}

step_mutants() {
  build asan
  DAEDALUS_MUTANTS=500 build/asan/bin/mutants_test --gtest_brief=1
}

step_certify() {
  local model
  build release
  for model in build/release/models/networks/*.onnx; do
    build/release/bin/daedalus certify "$model" --runs 5
  done
  for model in build/release/models/convs/*.onnx; do
    build/release/bin/daedalus certify "$model" --runs 20 --rtl-cycles 10000000
  done
}

step_cuda() {
  build release
  tests/e2e/cuda_assembly/assemble.py
}

step_emulated() {
  build release
  /usr/bin/python3 tests/e2e/cuda_networks.py
  /usr/bin/python3 tests/e2e/cuda_networks.py --cuda-arch emulated-sm_90a
}

step_traces() {
  build release
  tests/e2e/perfetto/perfetto_test.py
}

# What is to be looked at stays in build/nightly/report. With DAEDALUS_IMAGES, a folder, the pictures of docs/images.
step_reports() {
  packages=(chromium chromium-driver python3-selenium fonts-dejavu-core)
  install_packages
  build release
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/e2e/report/report_test.py ${DAEDALUS_IMAGES:+--images "$DAEDALUS_IMAGES"}
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/e2e/explore_report/browser_test.py ${DAEDALUS_IMAGES:+--images "$DAEDALUS_IMAGES"}
}

step_tsan() {
  build tsan
  ctest --preset tsan -j "$(parallelism)"
}

# Whatever libFuzzer finds (crash-*, oom-*, timeout-*, leak-*) stays in build/nightly/fuzz/TARGET: mend the reader and
# commit the file to tests/fuzz/corpus/TARGET. The inputs found so far are kept in build/fuzz/corpus.
step_fuzz() {
  packages=(clang-19 libclang-rt-19-dev)
  install_packages
  build fuzz
  local targets
  export root DAEDALUS_FUZZ_SECONDS=${DAEDALUS_FUZZ_SECONDS:-900}
  export -f fuzz_target
  targets=${DAEDALUS_FUZZ_TARGETS:-$(cd build/fuzz/bin && ls ./*_fuzz | sed 's,^./\(.*\)_fuzz$,\1,')}
  printf '%s\n' $targets | xargs -P "$(parallelism)" -I{} bash -c 'fuzz_target {}'
}

fuzz_target() { # TARGET
  local bin=$root/build/fuzz/bin corpus=$root/build/fuzz/corpus/$1 found=$root/build/nightly/fuzz/$1 status=0
  rm -rf "$found"
  mkdir -p "$corpus" "$found" "$root/tests/fuzz/corpus/$1"
  "$bin/$1_replay" --write-seeds "$corpus/seeds"
  "$bin/$1_fuzz" -max_total_time="$DAEDALUS_FUZZ_SECONDS" -timeout=30 -rss_limit_mb=3000 -malloc_limit_mb=2000 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix="$found/" "$corpus" "$root/tests/fuzz/corpus/$1" \
    >"$found/log.txt" 2>&1 || status=$?
  awk -v target="$1" -v status="$status" '/cov: / {for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1)}
    /number_of_executed_units/ {runs = $2} /slowest_unit_time_sec/ {slowest = $2}
    END {print target ": " runs " inputs, " cov " edges, slowest " slowest " s, " (status ? "FAILED" : "no crash")}' \
    "$found/log.txt"
  [ "$status" -eq 0 ] || { grep -m 5 -E 'ERROR|runtime error|SUMMARY|fuzz: |Assertion' "$found/log.txt"; return 1; }
}

usage() {
  sed -n '2,6s/^# \{0,1\}//p' "$0"
  printf '  %s\n' "${steps[@]}"
}

# What a run has to have in common with an earlier one: every file that git knows, or could be told of.
sources_digest() {
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 sha1sum 2>/dev/null | sha1sum | cut -d ' ' -f 1)
}

resumes=0
if [ "${1:-}" = --resume ]; then
  resumes=1
  shift
fi
chosen=()
for step in "$@"; do
  [ "$step" != --help ] && [ "$step" != -h ] || { usage; exit 0; }
  declare -F "step_$step" >/dev/null || { echo "nightly.sh: error: there is no step '$step'; the steps are:" \
    "${steps[*]%% *}" >&2; exit 2; }
  chosen+=("$step")
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${steps[@]%% *}")

mkdir -p "$root/build/nightly"
cd "$root"
table=() failed=0
install_packages
digest=$(sources_digest) passed=build/nightly/passed # lines of it: a digest, a step and its row of the table
for step in "${chosen[@]}"; do
  if [ "$resumes" -eq 1 ] && row=$(grep "^$digest $step " "$passed" 2>/dev/null | tail -n 1); then
    say "$step passed before"
    table+=("${row#* * }")
    continue
  fi
  log=build/nightly/$step.log start=$SECONDS result=passed
  say "$step ($log)"
  set +e # not `if (...)`, in which the step would go on after a failure
  (set -e; "step_$step") >"$log" 2>&1 </dev/null
  [ $? -eq 0 ] || { result=FAILED failed=1; tail -n 20 "$log"; }
  set -e
  row=$(printf '%-10s %-6s %6d s  %s' "$step" "$result" $((SECONDS - start)) "$(tail -n 1 "$log" | cut -c -90)")
  table+=("$row")
  if [ "$result" = passed ]; then echo "$digest $step $row" >>"$passed"; fi
done
say "Nightly run"
printf '%s\n' "${table[@]}"
exit "$failed"
