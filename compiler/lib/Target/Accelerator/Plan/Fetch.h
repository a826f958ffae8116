// When instructions reach the head of FETCH: in bursts, each of which is asked for as soon as those before it
// have left room in the buffer (R4, R5 of docs/timing.md).

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_FETCH_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_FETCH_H

#include "Plan/Timing.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace daedalus::accelerator {

/// Copies are cheap.
class Fetch {
public:
  explicit Fetch(const isa::Machine &machine);

  /// The first cycle in which the next instruction is at the head, others aside.
  Cycle headAt() const { return arrivals[burst] + (place + 1) * beats + 2; }

  /// It is dispatched in a cycle in which the read channel is known to be busy up to `channel`. Behind the
  /// last one of a burst there is room for another burst. What LOAD has asked for comes before it.
  void dispatch(Cycle cycle, Cycle channel) {
    if (++place < size)
      return;
    const Cycle asked = cycle + 1;
    arrivals[burst] = std::max(asked + 1 + latency, std::min(channel, asked + room));
    burst = burst + 1 == arrivals.size() ? 0 : burst + 1;
    place = 0;
  }

private:
  Cycle latency, room;                  ///< of the channel; of LOAD's receive buffer
  Cycle beats, size;                    ///< of an instruction; instructions of a burst
  llvm::SmallVector<Cycle, 8> arrivals; ///< of the first beats of bursts that the buffer has room for
  size_t burst = 0;                     ///< of these, of the next instruction
  Cycle place = 0;                      ///< in it
};

} // namespace daedalus::accelerator

#endif
