// STORE before a memory that is asked in order (DramModel): a step for each segment that leaves, and one for
// each last beat, when all reads before it have been granted.
#include "systemc/store.h"

namespace daedalus::sim::systemc {

void Store::beginInOrder(Cycle now) {
  begun.push_back({current, now});
  generating = true;
  segments.reset();
  if (const auto *store = ownOf<isa::Store>(current.instruction))
    segments.emplace(*store, *run.machine, run.core->bases[store->base].address);
  nextSegment(true);
  shown = now + run.machine->storeIssueLatency; // R20
  wakeAt(shown);
}

/// Takes the next segment; false when there is none. Mark and nop have one, which is empty.
bool Store::nextSegment(bool first) {
  fresh = true;
  return segments ? segments->next(segment) : first;
}

/// R20: the segment leaves as soon as fewer are open than the machine allows.
void Store::showSegment(Cycle now) {
  if (now < shown)
    return wakeAt(shown);
  const auto *store = ownOf<isa::Store>(current.instruction);
  if (fresh && store && reportFaulty(*store, segment, now))
    return stopGenerating(now);
  fresh = false;
  while (!open.empty() && open.front() < now)
    open.pop_front();
  if (open.size() + unanswered.size() < run.machine->outstandingWrites)
    return leaveInOrder(now);
  if (!open.empty())
    wakeAt(open.front() + 1); // else the next answer does
}

void Store::leaveInOrder(Cycle now) {
  Unanswered left = {now, segment, segments.has_value(), false};
  if (left.isBurst)
    left.from = bus.send(now, segment.beats);
  shown = now + 1;
  left.isLast = !nextSegment(false);
  unanswered.push_back(left);
  if (left.isLast)
    stopGenerating(now);
  else
    wakeAt(shown);
  if (unanswered.size() == 1)
    left.isBurst ? run.clock.notifyAt(answers, left.from) : answer();
}

void Store::stopGenerating(Cycle now) {
  generating = false;
  generatorFree = now + 1;
  awaitGenerator();
}

void Store::answer() {
  const Cycle now = run.clock.now();
  for (; !unanswered.empty() && unanswered.front().from <= now; unanswered.pop_front())
    completeInOrder(unanswered.front());
  if (!unanswered.empty())
    run.clock.notifyAt(answers, unanswered.front().from);
  if (generating)
    wakeAt(std::max(now + 1, shown));
}

void Store::completeInOrder(const Unanswered &left) {
  const Issued &issued = begun.front().issued;
  if (left.isBurst) {
    const Cycle response = bus.answer(left.from, left.segment.address, left.segment.beats);
    reportError(*ownOf<isa::Store>(issued.instruction), left.segment, issued.index, response);
    complete(response + 1);
  } else {
    complete(left.from + 1);
  }
  core.transfersUntil(completed - 1);
  if (!left.isLast)
    return;
  endAt(issued, begun.front().start, completed - 1);
  begun.pop_front();
}

} // namespace daedalus::sim::systemc
