# Sourced by nightly.sh: the steps for the engines and the RTL.

step_cosim() {
  local machine
  build release
  for machine in tiny default vta large; do
    build/release/bin/daedalus cosim --programs "$(share 5000)" --seed $(($(begin 5000) + 1)) --machine "$machine"
  done
  DAEDALUS_RESET_PROGRAMS=$(share 10) DAEDALUS_RESET_STRETCHES=$(share 700) build/release/bin/cosim_test --gtest_filter='Reset.*'
}

step_proofs() {
  build release
  DAEDALUS_RUN_TWICE_PROGRAMS=$(share 10000) build/release/bin/run_twice_test --gtest_brief=1
  DAEDALUS_PROOF_INSTRUCTIONS=16384 build/release/bin/isa_unit --gtest_filter='*ProofCost*' --gtest_brief=1
}

# The night decides which: the next two covering arrays, all pairs of ends in each.
step_machines() {
  local seed=${DAEDALUS_COSIM_SEED:-$((nth * 2))}
  build release
  DAEDALUS_TIMING_MACHINES=200 DAEDALUS_TIMING_SEED=$seed build/release/bin/clocked_test --gtest_filter='*Array'
  DAEDALUS_COSIM_MACHINES=$(share 30) DAEDALUS_COSIM_SEED=$seed \
    build/release/bin/cosim_test --gtest_filter='MachineArray.*:KeptPrograms.*'
}

step_faulty() {
  build release
  DAEDALUS_PLANTED_BUGS=$(if_whole both $((nth % 8))) build/release/bin/faulty_hardware_test
}

step_timing() {
  build release
  DAEDALUS_TIMING_PROGRAMS=$(share 20000) DAEDALUS_TIMING_SEED=$((nth + 1)) build/release/bin/rtl_timing_test
}

step_intervals() {
  build release
  DAEDALUS_INTERVAL_PROGRAMS=$(share 100000) build/release/bin/interval_test --gtest_filter='IntervalTest.*'
  tests/benchmarks/intervals.sh build/release
}

step_dram() {
  build release
  DAEDALUS_COSIM_PROGRAMS=$(share 2000) build/release/bin/cosim_test --gtest_filter='Dram*'
}

step_soc() {
  build release
  DAEDALUS_NEEDS_SOC=1 DAEDALUS_SOC_PROGRAMS=$(share 1000) build/release/bin/soc_test --gtest_filter='Contention.*'
}

step_coverage() {
  local folder=build/nightly/coverage
  build release
  rm -rf "$folder"
  mkdir -p "$folder"
  DAEDALUS_RTL_COVERAGE=$PWD/$folder build/release/bin/daedalus cosim --programs 300 --seed 1 --machine tiny
  DAEDALUS_RTL_COVERAGE=$PWD/$folder DAEDALUS_RESET_STRETCHES=60 build/release/bin/cosim_test --gtest_filter=Reset.InAStretchOfManyPrograms
  tests/coverage/report.py "$folder" --check
}

step_area() {
  build release
  hw/area/count.py build/release tiny default --check
}

step_asic() {
  packages=(opensta qflow-tech-osu018)
  install_packages
  build release
  hw/asic/estimate.py build/release tiny --check
}

step_formal() {
  build release
  PROVE_LONG=1 hw/formal/prove.sh build/release
  tests/hw/proof_mutants.sh build/release
}

step_registers() {
  build release
  hw/registers/check.py build/release
}

step_fpga() {
  build release
  hw/fpga/pnr.py build/release --check --seeds "$(if_whole 1,2,3,4,5 $((nth % 5 + 1)))"
}

step_netlist() {
  build release
  tests/netlist/netlist_test.sh build/release
  tests/hw/board_netlist_test.sh build/release whole
}

step_certify() {
  local model
  build release
  for model in $(some build/release/models/networks/*.onnx); do
    build/release/bin/daedalus certify "$model" --runs 5
  done
  for model in $(some build/release/models/convs/*.onnx); do
    build/release/bin/daedalus certify "$model" --runs 20 --rtl-cycles 10000000
  done
}
