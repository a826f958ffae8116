// The plan of a stream: for every call its schedule, and the order of all tiles, by simulated time.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLANNER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLANNER_H

#include "Tiles.h"

namespace daedalus::accelerator {

struct Plan {
  TileProgram program;
  uint64_t expectedCycles = 0; ///< by the model
  std::optional<size_t>
      withoutRoom{}; ///< the first call whose buffers find no room; there is no program then
};

/// Chooses the schedule of every call among `schedules` (the cheapest by the closed form first) and the order
/// of all tiles. Calls run in order; tiles of up to three neighbours interleave where VECTOR would wait for
/// GEMM or the other way round.
Plan planTiles(std::vector<KernelCall> &calls, llvm::ArrayRef<std::vector<RankedSchedule>> schedules,
               const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
