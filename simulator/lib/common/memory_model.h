// The memory's latencies (R12, R19), the same for `systemc` and for the memory behind the RTL: the machine's,
// or those of its DRAM.
#pragma once

#include "common/dram_model.h"
#include "daedalus/simulator/device.h"

#include <optional>

namespace daedalus::sim {

class MemoryLatency {
public:
  MemoryLatency(const isa::Machine &machine, const MemoryBehaviour &behaviour)
      : readBase(machine.readLatency), writeBase(machine.writeLatency), busBytes(machine.busBytes),
        behaviour(behaviour) {
    if (machine.memoryModel)
      dram.emplace(machine);
  }

  /// START.
  void reset() {
    if (dram)
      dram->reset();
  }
  /// Cycles from the address handshake in cycle `at` to the first beat.
  uint64_t read(uint64_t at, uint64_t address, uint64_t beats) {
    return dram ? dram->read(at, address, beats) : readBase + extra(at, address);
  }
  /// Cycles from the last write beat in cycle `at` to the response.
  uint64_t write(uint64_t at, uint64_t address, uint64_t beats) {
    return dram ? dram->write(at, address, beats) : writeBase + extra(~at, address);
  }
  /// What its DRAM has done since START; nothing without one.
  DramActivity dramActivity() const { return dram ? dram->activity() : DramActivity(); }

private:
  uint64_t extra(uint64_t at, uint64_t address) const {
    address /= busBytes; // the bus knows whole beats
    if (behaviour.latencySpread == 0)
      return 0;
    uint64_t hash = behaviour.seed ^ at * 0x9e3779b97f4a7c15 ^ address * 0xc2b2ae3d27d4eb4f;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
    return (hash >> 32) % (behaviour.latencySpread + 1);
  }

  std::optional<DramModel> dram;
  uint64_t readBase, writeBase, busBytes;
  MemoryBehaviour behaviour;
};

} // namespace daedalus::sim
