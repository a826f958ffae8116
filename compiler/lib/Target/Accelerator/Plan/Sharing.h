// Schedules of a call for tiles that share the scratchpads with those of its neighbours.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SHARING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SHARING_H

#include "Lowering/Tiles.h"
#include "daedalus/Target/Accelerator/Tuned.h"

namespace daedalus::accelerator {

constexpr size_t MostCalls = MostInGroup; ///< in a group

/// Of the ranked schedules a few for a group of `size` calls that follow each other by rows of pixels, all
/// channels of them before the next (Order::Pixels), or by channels, all pixels of them before the next.
std::vector<Schedule> sharing(const KernelCall &call, const RankedSchedules &ranked, dae::Order order,
                              size_t size, const isa::Machine &machine);

/// The part of the scratchpads that a tile of one of `size` calls may take: of a window that slides more than
/// its part of INP, as the pixels at the borders of its tiles are loaded again, and others need less.
bool fitsShare(const Kernel &kernel, const Schedule &s, size_t size, const isa::Machine &machine);

/// A window without weights in steps that fit the share: as many passes over a few rows of ACC.
Schedule narrowed(const Kernel &kernel, Schedule s, size_t size, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
