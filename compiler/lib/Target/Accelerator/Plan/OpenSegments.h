// How far LOAD and STORE may be ahead of what is written: their open segments and the room of LOAD's receive
// buffer (R14 to R16, R20 of docs/timing.md), by whole transfers, whose beats and segments are taken as
// evenly spread.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_OPENSEGMENTS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_OPENSEGMENTS_H

#include "Plan/Timing.h"

#include "llvm/ADT/SmallVector.h"

namespace daedalus::accelerator {

/// Copies are cheap.
class OpenSegments {
public:
  OpenSegments(Cycle most, Cycle mostBeats) : open(most), room(mostBeats) {}

  /// The first cycle not before `from` in which so many more beats and segments may have been asked for, as
  /// far as what was added before decides it; what does not fit at all waits for the last of it.
  Cycle roomFrom(Cycle from, Cycle beats, Cycle segments) const;

  /// A transfer whose beats are written from `begin` to `end`.
  void add(const TransferTime &transfer, Cycle begin, Cycle end);

private:
  /// Of a transfer, counted from the first one of all.
  struct Written {
    Cycle firstBeat, firstSegment, begin;
    Cycle endBeat, endSegment, end;
  };

  Cycle open, room;
  static constexpr size_t MostUnneeded = 16;
  llvm::SmallVector<Written, 2 * MostUnneeded> last;
  size_t unneeded = 0;           ///< of these, the first ones, of which nothing can be waited for
  Cycle beats = 0, segments = 0; ///< of all
  Cycle allWritten = 0;
};

} // namespace daedalus::accelerator

#endif
