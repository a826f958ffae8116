// Memories whose latencies vary from burst to burst, for the intervals of docs/intervals.md.
#pragma once

#include "random_machine.h"

#include "clocked/shared.h"
#include "daedalus/simulator/interval.h"

#include <functional>

namespace daedalus::timing {

/// How a memory chooses in its ranges.
enum class Jitter {
  Least,
  Greatest,
  Uniform,
  Bimodal,   ///< either end
  LateFetch, ///< greatest for FETCH, least for LOAD, and the other way round:
  LateLoad,
  LateWrites,  ///< greatest for STORE, least for others
  Alternating, ///< either end, in turns
  Last = Alternating
};
const char *name(Jitter jitter);

/// Such a memory; what it draws, it draws by the seed.
clocked::BurstLatency latencyOf(Jitter jitter, const sim::MemoryLatencies &ranges, uint64_t seed);

/// Two ranges below the machine's patience, narrow, wide or a single number.
sim::MemoryLatencies randomLatencies(Random &random, const isa::Machine &machine);

/// The longest or the shortest run that is found in so many runs: groups of bursts change to the other end of
/// their range, and stay there where the run gets no shorter, or no longer.
uint64_t search(Random &random, const sim::MemoryLatencies &ranges, bool longest, unsigned runs,
                const std::function<uint64_t(const clocked::BurstLatency &)> &cyclesOf);

} // namespace daedalus::timing
