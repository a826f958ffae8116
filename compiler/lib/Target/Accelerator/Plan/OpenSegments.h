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
  OpenSegments(Cycle most, Cycle mostBeats) : open(most), room(mostBeats), last(most) {}

  /// The first cycle not before `from` in which so many more beats and segments may have been asked for, as
  /// far as what was added before decides it; what does not fit at all waits for the last of it.
  Cycle roomFrom(Cycle from, Cycle moreBeats, Cycle moreSegments) const {
    return allWritten <= from ? from : decidedFrom(from, moreBeats, moreSegments);
  }

  /// Bursts whose beats are written from `begin` to `end`.
  void add(const BurstTime &bursts, Cycle begin, Cycle end);

  /// As if all had been so many cycles later.
  void delay(Cycle cycles) { delayed += cycles, allWritten += cycles; }

private:
  Cycle decidedFrom(Cycle from, Cycle beats, Cycle segments) const;

  /// Of bursts, counted from the first one of all; what they were delayed by is not in their times.
  struct Written {
    Cycle firstBeat, firstSegment, begin;
    Cycle endBeat, endSegment, end;
  };

  Cycle open, room;
  /// The newest ones, around from `next` on: of older ones all segments have to be written before
  /// anything else may be asked for.
  llvm::SmallVector<Written, 16> last;
  size_t next = 0;
  Cycle beats = 0, segments = 0; ///< of all
  Cycle delayed = 0, allWritten = 0;
};

} // namespace daedalus::accelerator

#endif
