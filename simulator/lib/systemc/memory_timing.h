// What takes the place of the machine's memory in a run: latencies burst by burst, or the two read channels
// of a bound (docs/intervals.md).
#pragma once

#include "daedalus/isa/machine.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace daedalus::sim::systemc {

/// The latency of a burst of that module, in cycles: the `number`-th of its bursts in the run, from 0 on.
/// Below the machine's memory_timeout_cycles.
using BurstLatency = std::function<uint64_t(isa::CounterModule module, uint64_t number)>;

/// FETCH and LOAD have a read channel each, and every latency is the machine's.
struct ReadBound {
  /// False: neither reader delays the other, so nothing happens later than in a run with an arbiter. True: a
  /// burst of FETCH comes as late as LOAD can make it, which is not delayed itself.
  bool isUpper = false;
  /// FetchBursts::beatsAhead
  std::vector<uint64_t> beatsAhead;
};

/// At most one of the two is there.
struct MemoryTiming {
  BurstLatency latency;
  const ReadBound *bound = nullptr;
};

} // namespace daedalus::sim::systemc
