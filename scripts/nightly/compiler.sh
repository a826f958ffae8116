# Sourced by nightly.sh: the steps for how kernels are recognized, tiled and computed.

step_graphs() {
  build release
  DAEDALUS_RANDOM_GRAPHS=$(begin 500):$(share 500) build/release/bin/random_graphs_test --gtest_brief=1
  DAEDALUS_RANDOM_PROGRAMS=$(begin 7000):$(share 7000) build/release/bin/random_programs_test --gtest_brief=1
  DAEDALUS_NEAR_MISSES=$(begin 5000):$(share 5000) build/release/bin/near_misses_test --gtest_brief=1
  DAEDALUS_PLACEMENT_GRAPHS=$(share 1000) build/release/bin/placement_test --gtest_brief=1
  DAEDALUS_RANDOM_KERNELS=$(share 20000) build/release/bin/accelerator_unit --gtest_filter='RandomTexts.*' --gtest_brief=1
}

step_bounds() {
  build release
  DAEDALUS_BOUND_LAYERS=$(share 300) build/release/bin/accelerator_unit --gtest_filter='Bounds.*'
}

step_sliding() {
  build release
  DAEDALUS_SLIDING_LAYERS=$(share 500) build/release/bin/accelerator_unit --gtest_filter='Sliding.RandomLayers*'
  DAEDALUS_EXCESS_LAYERS=$(share 5000) build/release/bin/accelerator_unit --gtest_filter='Excess.RandomLayers*'
  /usr/bin/python3 tests/window_layers/window_layers.py build/release/bin/daedalus --onnxruntime \
    --layers "$(begin 500):$(($(begin 500) + $(share 500)))"
}

step_plans() {
  build release
  DAEDALUS_PLANS=all DAEDALUS_PLAN_EDITS=$(share 5000) build/release/bin/plans_test --gtest_brief=1
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
  [ "$whole" -eq 1 ] || levels=$(printf '%s\n' $levels | shuf -n 2 --random-source=<(yes "$nth"))
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
  local tree=$root/build/matcher count
  rm -rf "$tree"
  mkdir -p "$tree"
  git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$tree")
  cmake -S "$tree" --preset release
  count=$("$tree/tests/matcher_mutants/matcher_mutants.py" --tree "$tree" --list | wc -l)
  "$tree/tests/matcher_mutants/matcher_mutants.py" --tree "$tree" --first $(($(begin "$count") + 1)) --count "$(share "$count")"
}

step_search() {
  packages=(libpagmo-dev)
  install_packages
  build release
  tests/unit/explore/spaces/make.sh build/nightly/spaces
  DAEDALUS_SEARCH_SPACES=all DAEDALUS_SEARCH_TABLES=build/nightly/spaces build/release/bin/search_tables_test
  DAEDALUS_SEARCH_SPACES=all DAEDALUS_SEARCH_TABLES=build/nightly/spaces build/release/bin/search_peers_test
}

step_tuning() {
  build release
  build/release/bin/plan_spaces_benchmark
  tests/benchmarks/tuned_networks.py build/release/bin/daedalus build/release/models/networks --trials 200
  mkdir -p build/nightly/tuning
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/models/efficientnet.py build/nightly/tuning/efficientnet_b0.onnx
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/e2e/report/vit.py build/nightly/tuning/deit_tiny.onnx
  tests/benchmarks/tuned_networks.py build/release/bin/daedalus build/nightly/tuning efficientnet_b0 deit_tiny --trials 600
}
