// The memory as the bus sees it: latencies (R12, R19) and which addresses exist. A memory model of another
// kind changes the latency functions alone; bursts have no gaps and do not overtake.
#pragma once

#include "common/memory_model.h"
#include "systemc/run.h"

namespace daedalus::sim::systemc {

class MemoryModel : public sc_core::sc_module {
public:
  MemoryModel(sc_core::sc_module_name name, Run &run) : sc_module(name), run(run) {}

  /// Cycles from the read address handshake in cycle `at` to the first beat.
  Cycle readLatency(Cycle at, uint64_t address) const { return latency().read(at, address); }
  /// Cycles from the last write beat in cycle `at` to the response.
  Cycle writeLatency(Cycle at, uint64_t address) const { return latency().write(at, address); }
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
  MemoryLatency latency() const { return {*run.machine, run.memory}; }

  Run &run;
};

} // namespace daedalus::sim::systemc
