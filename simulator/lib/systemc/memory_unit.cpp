// The queue of ends: only the first has an event.
#include "systemc/memory_unit.h"

namespace daedalus::sim::systemc {

void MemoryUnit::reset() {
  Unit::reset();
  endings.clear();
}

void MemoryUnit::endAt(const Issued &issued, Cycle start, Cycle end) {
  endings.push_back({issued.instruction, issued.index, start, end});
  if (endings.size() == 1)
    awaitEnd();
}

void MemoryUnit::awaitEnd() {
  if (!endings.empty() && endings.front().end != Never)
    run.clock.notifyAt(ends, endings.front().end);
}

void MemoryUnit::dropEndings(Cycle now) {
  while (!endings.empty() && endings.back().end > now)
    endings.pop_back();
  run.clock.cancel(ends);
}

/// No two instructions end in one cycle: each has a last write or completion of its own.
void MemoryUnit::retireDue(Cycle now) {
  if (endings.empty() || endings.front().end != now)
    return;
  const Ending &ending = endings.front();
  retire(ending.instruction, ending.index, ending.start, ending.end);
  endings.pop_front();
  wakeAt(now + 1);
  awaitEnd();
}

} // namespace daedalus::sim::systemc
