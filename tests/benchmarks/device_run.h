// The measured part of a benchmark of an engine: a device that is set up runs its program again and again.
#pragma once

#include "daedalus/simulator/device.h"

#include <benchmark/benchmark.h>

namespace daedalus::test {

/// Ends the benchmark where a run does not end well; counts simulated cycles and how many a second.
/// `behind` gets the cycles of each run.
template <class Behind> void runDevice(benchmark::State &state, sim::Device &device, Behind behind) {
  for (auto _ : state) {
    device.writeRegister(isa::reg::Control, isa::reg::ControlStart);
    device.waitForInterrupt();
    if (device.readRegister(isa::reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Done))
      state.SkipWithError(device.faultDetail().c_str());
    behind(device.readRegister(isa::reg::CyclesLo));
  }
  const double cycles = device.readRegister(isa::reg::CyclesLo);
  state.counters["simulated_cycles"] = cycles;
  state.counters["cycles_per_second"] =
      benchmark::Counter(cycles, benchmark::Counter::kIsIterationInvariantRate);
}

inline void runDevice(benchmark::State &state, sim::Device &device) {
  runDevice(state, device, [](uint64_t) {});
}

} // namespace daedalus::test
