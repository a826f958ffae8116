// Between plans that a search found and what the planner works on.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TUNEDPLANS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_TUNEDPLANS_H

#include "Plan/Fusion.h"
#include "Plan/Planner.h"

namespace daedalus::accelerator {

/// Gives uses that no plan decides about the schedules of tuned groups, and adds these to `given`, which
/// stays in order. How many uses these are.
uint64_t takeTuned(std::vector<KernelUse> &uses, std::vector<GivenGroup> &given, const Tuned &tuned,
                   const isa::Machine &machine);

/// What the uses, whose calls are `planned` now, could have been.
StreamSpace spaceOf(llvm::ArrayRef<KernelUse> uses, llvm::ArrayRef<KernelCall> planned,
                    llvm::ArrayRef<Group> groups, Planning &planning, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
