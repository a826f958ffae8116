// See overhead.h.

#include "daedalus/runtime/overhead.h"

#include <algorithm>

namespace daedalus::runtime {

using isa::CounterClass;
using isa::CounterModule;

static uint64_t difference(uint64_t a, uint64_t b) {
  return a - std::min(a, b);
}

Overhead overheadOf(const RunResult &result, uint64_t products, const isa::Machine &machine) {
  const auto &gemm = result.counters[static_cast<size_t>(CounterModule::Gemm)];
  const Activity &activity = result.activity[static_cast<size_t>(CounterModule::Gemm)];
  const auto cyclesOf = [&](CounterClass c) { return gemm[static_cast<size_t>(c)]; };
  Overhead overhead;
  if (!activity.instructions)
    return overhead;
  overhead.prologue = activity.before;
  overhead.epilogue = activity.behind;
  overhead.fill = activity.instructions * (machine.gemmLatency + 1);
  const uint64_t busy = cyclesOf(CounterClass::Busy);
  overhead.padding = difference(busy - overhead.fill, products);
  const uint64_t waiting = difference(result.cycles, busy + overhead.prologue + overhead.epilogue);
  overhead.bus = std::min(waiting, difference(cyclesOf(CounterClass::WaitLoad), overhead.prologue));
  overhead.tokens = waiting - overhead.bus;
  return overhead;
}

} // namespace daedalus::runtime
