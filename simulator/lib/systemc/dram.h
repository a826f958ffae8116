// The memory as the bus sees it: latencies (R12, R19) and which addresses exist. Bursts have no gaps and do
// not overtake.
#pragma once

#include "common/memory_model.h"
#include "systemc/read_burst.h"
#include "systemc/run.h"

#include <optional>
#include <systemc>

namespace daedalus::sim::systemc {

class MemoryModel : public sc_core::sc_module {
public:
  MemoryModel(sc_core::sc_module_name name, Run &run) : sc_module(name), run(run) {}

  void reset() {
    bursts = {};
    latency.emplace(*run.machine, run.memory);
  }
  /// Whether a latency depends on the bursts before it, of both sides of the bus: then all are asked for in
  /// the order of DramModel.
  bool isOrdered() const { return run.machine->memoryModel && !run.timing.latency && !run.timing.bound; }
  /// Whether every latency is the machine's.
  bool isConstant() const { return !isOrdered() && !run.timing.latency && run.memory.latencySpread == 0; }
  /// Cycles from the read address handshake in cycle `at` to the first beat of the reader's next burst.
  Cycle readLatency(ReaderId reader, Cycle at, uint64_t address, uint64_t beats) {
    return run.timing.latency ? given(moduleOf(reader)) : latency->read(at, address, beats);
  }
  /// Cycles from the last beat of the next write burst in cycle `at` to its response.
  Cycle writeLatency(Cycle at, uint64_t address, uint64_t beats) {
    return run.timing.latency ? given(isa::CounterModule::Store) : latency->write(at, address, beats);
  }
  /// The same of a beat of another master.
  Cycle hostReadLatency(Cycle at, uint64_t address) { return latency->read(at, address, 1); }
  Cycle hostWriteLatency(Cycle at, uint64_t address) { return latency->write(at, address, 1); }
  DramActivity dramActivity() const { return latency->dramActivity(); }
  /// Whether all bytes can be accessed; a burst with one that cannot is answered with an error.
  bool holds(uint64_t address, uint64_t bytes) const { return run.core->dram.holds(address, bytes); }
  /// Of a burst that is answered with an error, the first beat that is.
  uint64_t errorBeat(uint64_t address, uint64_t bytes) const {
    const uint64_t bus = run.machine->busBytes;
    return run.core->dram.firstError(address, bytes) / bus - address / bus;
  }

  /// How it falls silent in the run, if it does.
  const std::optional<Silence> &silence() const { return run.memory.silence; }
  /// Whether it may be silent for longer than the machine's patience (R29).
  bool mayTimeOut() const {
    const Cycle longest = std::max(run.machine->readLatency, run.machine->writeLatency);
    return silence() || longest + run.memory.latencySpread >= run.machine->memoryTimeoutCycles;
  }

private:
  Cycle given(isa::CounterModule module) {
    return run.timing.latency(module, bursts[static_cast<unsigned>(module)]++);
  }

  Run &run;
  std::optional<MemoryLatency> latency;
  std::array<uint64_t, isa::CounterModuleCount>
      bursts{}; ///< of each module so far, where each has its latency
};

} // namespace daedalus::sim::systemc
