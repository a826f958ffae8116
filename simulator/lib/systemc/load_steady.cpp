// LOAD before a memory of constant latency: the cycles of segments that leave one after the other, by their
// costs alone. It is the way of events (load.cpp) without what cannot happen: nobody else acts before
// `limit`, every beat comes, and no segment has a fault. Places are given back when one is needed, not when
// they are free: the segment leaves behind the last write of the last of them, or at once where that has
// passed.
#include "systemc/load.h"

namespace daedalus::sim::systemc {

/// The first cycle from `now` on in which there is room for a segment of so many beats (R14, R15).
Cycle Load::makeRoom(Cycle now, uint64_t beats) {
  while (!open.empty() &&
         (open.size() >= run.machine->outstandingReads || openBeats + beats > run.machine->receiveBeats)) {
    now = std::max(now, open.front().lastWrite + 1);
    openBeats -= open.front().beats;
    open.pop_front();
  }
  return now;
}

/// The writer's cycles from `begin` on, before `end`.
void Load::markWritten(Cycle begin, Cycle end) {
  if (begin < end)
    ledger.markBusy(begin, end - 1, current.index);
}

void Load::runAheadSteadily(Cycle limit) {
  const Cycle toFirstBeat = 1 + run.machine->readLatency, receiveLatency = run.machine->receiveLatency;
  Cycle readFree = bus.readFreeFrom(), written = writerFree, writes = writerFree;
  bool isLast = false;
  while (!isLast && (shown = makeRoom(shown, cost.beats)) < limit) {
    Cycle from = shown + 1;
    if (cost.beats) {
      const Cycle first = std::max(shown + toFirstBeat, readFree); // R12
      readFree = first + cost.beats;
      from = first + receiveLatency;
    }
    if (from > written) { // R16: the writer has had a gap
      markWritten(writes, written);
      writes = written = from;
    }
    written += cost.writes;
    open.push_back({written - 1, cost.beats});
    openBeats += cost.beats;
    ++shown;
    isLast = !nextSegment(false);
  }
  markWritten(writes, written);
  bus.grantedUntil(readFree);
  writerFree = written;
  core.transfersUntil(written - 1);
  isLast ? finish(shown - 1, written - 1) : await(shown);
}

} // namespace daedalus::sim::systemc
