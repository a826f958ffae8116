# Sourced by nightly.sh: the steps for whole builds, readers of input, and what a user sees.

step_release() {
  build release
  ctest --preset release -j "$(parallelism)"
}

# A night leaves out what runs little C++ of the project, for hours.
step_asan() {
  build asan
  ctest --preset asan -j "$(parallelism)" -E "$(if_whole '^$' '^(hw_|repo_|faulty_hardware|install$|e2e_docs$)')"
}

step_tsan() {
  build tsan
  ctest --preset tsan -j "$(parallelism)"
}

step_mutants() {
  build asan
  DAEDALUS_MUTANTS=$(share 500) build/asan/bin/mutants_test --gtest_brief=1
}

# Clang 14 does not know the levels of x86-64 that the CPU driver's host.cpp asks GCC's builtin for, and reads no headers
# that GCC precompiled.
step_tidy() {
  packages=(clang-tidy)
  install_packages
  build release
  mkdir -p build/nightly/tidy
  sed 's, -Winvalid-pch -include [^ ]*cmake_pch\.hxx,,' build/release/compile_commands.json >build/nightly/tidy/compile_commands.json
  git ls-files isa/lib isa/tools runtime simulator | grep '\.cpp$' | grep -v '^runtime/drivers/cpu/host.cpp$' |
    xargs -P "$(parallelism)" -n 4 clang-tidy -p build/nightly/tidy --quiet
  echo "no finding"
}

# Whatever libFuzzer finds (crash-*, oom-*, timeout-*, leak-*) stays in build/nightly/fuzz/TARGET: mend the reader and
# commit the file to tests/fuzz/corpus/TARGET. The inputs found so far are kept in build/fuzz/corpus.
step_fuzz() {
  packages=(clang-19 libclang-rt-19-dev)
  install_packages
  build fuzz
  local targets
  export root DAEDALUS_FUZZ_SECONDS=${DAEDALUS_FUZZ_SECONDS:-$(if_whole 900 60)}
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

step_sweeps() {
  build release
  python3 tests/sweeps/kill_test.py build/release/bin/daedalus examples/digits/digits.onnx \
    --workers "$(share 30)" --ranks "$(share 20)" --writer "$(share 20)" --seed "$nth"
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
  DAEDALUS_ENDURANCE_RUNS=$(share 10000) build/release/bin/endurance_test
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
