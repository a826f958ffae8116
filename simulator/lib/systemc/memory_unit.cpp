// The queue of ends: only the first has an event.
#include "systemc/memory_unit.h"

namespace daedalus::sim::systemc {

void MemoryUnit::reset() {
  Unit::reset();
  endings.clear();
  ends.cancel();
}

void MemoryUnit::endAt(Cycle start, Cycle end) {
  endings.push_back({current.instruction, current.index, start, end});
  if (endings.size() == 1)
    run.clock.notifyAt(ends, end);
}

/// No two instructions end in one cycle: each has a last write or completion of its own.
void MemoryUnit::retireDue(Cycle now) {
  if (endings.empty() || endings.front().end != now)
    return;
  const Ending &ending = endings.front();
  retire(ending.instruction, ending.index, ending.start, ending.end);
  endings.pop_front();
  wakeAt(now + 1);
  if (!endings.empty())
    run.clock.notifyAt(ends, endings.front().end);
}

} // namespace daedalus::sim::systemc
