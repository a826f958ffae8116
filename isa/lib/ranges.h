// Sets of integers as sorted, disjoint ranges, and what a loop nest makes of one.
#pragma once

#include "daedalus/isa/footprint.h"

#include <vector>

namespace daedalus::isa {

/// One loop: the set is repeated `count` times, each time `stride` further.
struct Sweep {
  uint32_t count;
  int64_t stride;
};

/// What sets cost to make: ranges handled, added up. A sweep that would handle more than MostSweepWork gives
/// its bounding range instead, and `exact` says so.
struct SweepCost {
  uint64_t work = 0;
  bool exact = true;
};
inline constexpr uint64_t MostSweepWork = uint64_t(1) << 20;

/// The union of the set over all iterations of the loops; order plays no role.
std::vector<Range> sweep(std::vector<Range> set, std::vector<Sweep> loops, SweepCost &cost);

/// Sorts and joins ranges that touch.
void normalize(std::vector<Range> &set);

/// From the first element to behind the last; empty for an empty set.
Range boundsOf(const std::vector<Range> &set);

/// The bounds that sweep would give for a set of these bounds.
Range sweepBounds(Range bounds, const std::vector<Sweep> &loops);

/// Whether two sorted sets have an element in common.
bool overlap(const std::vector<Range> &x, const std::vector<Range> &y);

} // namespace daedalus::isa
