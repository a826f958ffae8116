// LOAD before a memory of constant latency: the cycles of segments that leave one after the other, by their
// costs alone. It is the way of events (load.cpp) without what cannot happen: nobody else acts before
// `limit`, every beat comes, and no segment has a fault. Places are given back when one is needed, not when
// they are free: the segment leaves behind the last write of the last of them, or at once where that has
// passed.
#include "systemc/load.h"

namespace daedalus::sim::systemc {

/// The writer's cycles from `begin` on, before `end`.
void Load::markWritten(Cycle begin, Cycle end) {
  if (begin < end)
    ledger.markBusy(begin, end - 1, current.index);
}

template <class Costs> [[gnu::always_inline]] inline void Load::runAheadSteadily(Costs &all, Cycle limit) {
  const isa::Machine &machine = *run.machine;
  const Cycle toFirstBeat = 1 + machine.readLatency, receiveLatency = machine.receiveLatency;
  const uint64_t most = machine.outstandingReads, room = machine.receiveBeats;
  Cycle readFree = bus.readFreeFrom(), written = writerFree, writes = writerFree;
  Cycle at = shown;
  uint64_t beats = openBeats;
  bool isLast = false;
  auto window = open.window(std::max<size_t>(most, 1)); // in registers
  for (LoadCost next = cost; !isLast;) {
    while (!window.empty() && (window.size() >= most || beats + next.beats > room)) { // R14, R15
      at = std::max(at, window.front().lastWrite + 1);
      beats -= window.front().beats;
      window.pop_front();
    }
    if (at >= limit) {
      cost = next;
      show(cost, all.address());
      break;
    }
    Cycle from = at + 2;
    if (next.beats) {
      const Cycle first = std::max(at + toFirstBeat, readFree); // R12
      readFree = first + next.beats;
      from = first + receiveLatency;
    }
    if (from > written) { // R16: the writer has had a gap
      markWritten(writes, written);
      writes = written = from;
    }
    written += next.writes;
    window.push_back({written - 1, next.beats});
    beats += next.beats;
    ++at;
    isLast = !all.next(next);
  }
  open.take(window);
  shown = at;
  openBeats = beats;
  markWritten(writes, written);
  bus.grantedUntil(readFree);
  writerFree = written;
  core.transfersUntil(written - 1);
  isLast ? finish(at - 1, written - 1) : await(at);
}

void Load::runAheadByCosts(Cycle limit) {
  if (!listed)
    return runAheadSteadily(*costs, limit);
  ListedCosts all = *listed; // in registers too
  runAheadSteadily(all, limit);
  listed = all;
}

} // namespace daedalus::sim::systemc
