// A burst's latency is a function of its module, its number and the seed alone, so that every model of the
// accelerator meets the same memory.
#include "jitter.h"

namespace daedalus::timing {
namespace {

using isa::CounterModule;

const sim::LatencyRange &rangeOf(const sim::MemoryLatencies &ranges, CounterModule module) {
  return module == CounterModule::Store ? ranges.write : ranges.read;
}

uint64_t hash(uint64_t seed, CounterModule module, uint64_t number) {
  uint64_t mixed = (seed * 3 + static_cast<uint64_t>(module)) * 0x9e3779b97f4a7c15 + number;
  mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 29) * 0x94d049bb133111eb;
  return mixed >> 32;
}

/// Whether the burst takes longest, of memories that know nothing else.
bool isLate(Jitter jitter, uint64_t seed, CounterModule module, uint64_t number) {
  switch (jitter) {
  case Jitter::Greatest:
    return true;
  case Jitter::Bimodal:
    return hash(seed, module, number) & 1;
  case Jitter::LateFetch:
    return module == CounterModule::Fetch;
  case Jitter::LateLoad:
    return module == CounterModule::Load;
  case Jitter::LateWrites:
    return module == CounterModule::Store;
  case Jitter::Alternating:
    return (number + seed + (module == CounterModule::Fetch)) & 1;
  default:
    return false;
  }
}

} // namespace

const char *name(Jitter jitter) {
  constexpr const char *names[] = {"least",      "greatest",  "uniform",     "bimodal",
                                   "late fetch", "late load", "late writes", "alternating"};
  return names[static_cast<unsigned>(jitter)];
}

clocked::BurstLatency latencyOf(Jitter jitter, const sim::MemoryLatencies &ranges, uint64_t seed) {
  return [=](CounterModule module, uint64_t number) -> clocked::Cycle {
    const sim::LatencyRange &range = rangeOf(ranges, module);
    if (jitter == Jitter::Uniform)
      return range.least + hash(seed, module, number) % (range.greatest - range.least + 1);
    return isLate(jitter, seed, module, number) ? range.greatest : range.least;
  };
}

sim::MemoryLatencies randomLatencies(Random &random, const isa::Machine &machine) {
  const auto draw = [&]() -> sim::LatencyRange {
    const uint32_t most = machine.memoryTimeoutCycles - 1;
    const uint32_t least = random.percent(50) ? random.between(1, 8) : random.between(1, most);
    const uint32_t width = random.percent(50) ? random.below(12) : random.below(150);
    return {least, random.percent(10) ? least : std::min(most, least + width)};
  };
  return {draw(), draw()};
}

uint64_t search(Random &random, const sim::MemoryLatencies &ranges, bool longest, unsigned runs,
                const std::function<uint64_t(const clocked::BurstLatency &)> &cyclesOf) {
  constexpr uint64_t Places = 64; // bursts of a module share one where they are more
  std::vector<bool> late(isa::CounterModuleCount * Places, longest);
  const clocked::BurstLatency latency = [&](CounterModule module, uint64_t number) -> clocked::Cycle {
    const sim::LatencyRange &range = rangeOf(ranges, module);
    return late[static_cast<uint64_t>(module) * Places + number % Places] ? range.greatest : range.least;
  };
  uint64_t best = cyclesOf(latency);
  for (unsigned run = 1; run < runs; ++run) {
    const std::vector<bool> before = late;
    for (unsigned flips = 1 + random.below(6); flips > 0; --flips) {
      const size_t place = random.below(static_cast<uint32_t>(late.size()));
      late[place] = !late[place];
    }
    const uint64_t cycles = cyclesOf(latency);
    if (longest ? cycles >= best : cycles <= best)
      best = cycles;
    else
      late = before;
  }
  return best;
}

} // namespace daedalus::timing
