// The plan of a stream: for every call its schedule, and the order of all tiles, by simulated time.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLANNER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLANNER_H

#include "Tiles.h"

namespace daedalus::accelerator {

/// Chooses the schedule of every call among `schedules` (the cheapest by the closed form first) and returns
/// the tiles of all. Calls run in order; tiles of up to three neighbours interleave where VECTOR would wait
/// for GEMM or the other way round. `expected` receives the cycles that the model expects.
TileProgram planTiles(std::vector<KernelCall> &calls, llvm::ArrayRef<std::vector<RankedSchedule>> schedules,
                      const isa::Machine &machine, uint64_t &expected);

} // namespace daedalus::accelerator

#endif
