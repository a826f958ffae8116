// The loop over the cycles in which something is due.
#include "systemc/calendar.h"

#include <cassert>

namespace daedalus::sim::systemc {

void Calendar::connect(Process process, std::initializer_list<Event *> events) {
  uint32_t slots = 0;
  for (Event *event : events) {
    assert(used < SlotCount && "a slot for each event");
    event->slot = used++;
    processes[event->slot] = process;
    slots |= uint32_t(1) << event->slot;
  }
  for (const Event *event : events)
    siblings[event->slot] = slots;
}

void Calendar::connect(Process process, LateEvent &event) {
  assert(lateUsed < LateCount && "a slot for each late event");
  event.slot = lateUsed++;
  lateProcesses[event.slot] = process;
}

void Calendar::start() {
  times.fill(Never);
  late = running = 0;
  stopped = false;
  present = 0;
}

/// Four minima side by side: in a chain each comparison would wait for the one before it.
Cycle Calendar::earliest() const {
  std::array<Cycle, 4> least = {times[0], times[1], times[2], times[3]};
  for (unsigned slot = 4; slot < SlotCount; slot += 4)
    for (unsigned i = 0; i < 4; ++i)
      least[i] = std::min(least[i], times[slot + i]);
  return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

void Calendar::runTo(Cycle last) {
  horizon = last;
  while (!stopped) {
    const Cycle next = earliest();
    if (next > horizon || next == Never)
      break;
    present = next;
    runDue();
    while (late)
      runLate();
  }
  if (!stopped && horizon != Never)
    present = horizon;
}

/// All notifications of the cycle are taken before the first process runs: it may notify the others anew.
void Calendar::runDue() {
  for (unsigned slot = 0; slot < SlotCount; ++slot) {
    const bool isDue = times[slot] == present;
    running |= uint32_t(isDue) << slot;
    times[slot] = isDue ? Never : times[slot];
  }
  while (running) {
    const unsigned first = __builtin_ctz(running);
    running &= ~siblings[first];
    processes[first].act(processes[first].module);
  }
}

void Calendar::runLate() {
  running = late;
  late = 0;
  while (running) {
    const unsigned slot = __builtin_ctz(running);
    running &= running - 1;
    lateProcesses[slot].act(lateProcesses[slot].module);
  }
}

} // namespace daedalus::sim::systemc
