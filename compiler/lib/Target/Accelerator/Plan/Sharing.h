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

/// What differs from a schedule of such a group by one step: the next smaller and larger tiles along one
/// dimension, or along one at the cost of another; other shares of VECTOR.
std::vector<Schedule> neighbours(const KernelCall &call, const RankedSchedules &ranked,
                                 const Schedule &schedule, size_t size, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
