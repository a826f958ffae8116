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
  least = Never;
  soon = late = running = timed = 0;
  stopped = false;
  present = 0;
}

void Calendar::runTo(Cycle last) {
  horizon = last;
  while (!stopped) {
    const Cycle at = next();
    if (at > horizon || at == Never)
      break;
    present = at;
    takeDue();
    runDue();
    while (late)
      runLate();
  }
  if (!stopped && horizon != Never)
    present = horizon;
}

/// All notifications of the cycle are taken before the first process runs: it may notify the others anew.
void Calendar::takeDue() {
  running = soon;
  soon = 0;
  if (least > present)
    return;
  Cycle first = Never;
  for (uint32_t left = timed; left; left &= left - 1) {
    const unsigned slot = __builtin_ctz(left);
    const uint32_t bit = uint32_t(1) << slot;
    if (times[slot] == present) {
      times[slot] = Never;
      running |= bit;
    }
    if (times[slot] == Never) // or it was cancelled
      timed &= ~bit;
    first = std::min(first, times[slot]);
  }
  least = first;
}

void Calendar::runDue() {
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
