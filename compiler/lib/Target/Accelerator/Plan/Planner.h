// The plan of a stream: for every call its schedule, and the order of all tiles, by simulated time.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_PLANNER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_PLANNER_H

#include "Lowering/Tiles.h"
#include "Plan/Candidates.h"

namespace daedalus::accelerator {

/// Calls [first, first + schedules.size()), whose tiles interleave.
struct Group {
  size_t first = 0;
  std::vector<Schedule> schedules;
  int64_t lag = 0;
};

/// A group that is no longer the planner's to choose, as are the schedules of its calls.
struct GivenGroup {
  size_t first, size;
  int64_t lag;
};

struct Plan {
  TileProgram program;
  std::vector<Group> groups;
  uint64_t expectedCycles = 0;   ///< by the model
  uint64_t tried = 0, tiles = 0; ///< groups of schedules, and their tiles
  std::optional<size_t>
      withoutRoom{}; ///< the first call whose buffers find no room; there is no program then
};

/// Chooses the schedule of every call among `schedules` (the cheapest by the closed form first) and the order
/// of all tiles. Calls run in order; tiles of up to three neighbours interleave where VECTOR would wait for
/// GEMM or the other way round, and a call hands over to the next one in INP where that takes fewer cycles:
/// `candidates` has its schedules. Where groups are `given`, in their order, the one schedule of each of
/// their calls is taken as it is.
Plan planTiles(std::vector<KernelCall> &calls, llvm::ArrayRef<RankedSchedules> schedules,
               llvm::ArrayRef<GivenGroup> given, Candidates &candidates, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
