// The order of calls that a plan asks for.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_ORDER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_ORDER_H

#include "Plan/Fusion.h"
#include "Plan/Planner.h"

namespace daedalus::accelerator {

/// Puts calls that a plan decides about in its order, the others where they stood as far as that can be, and
/// gives the plan's groups, which are neighbours then. Tensors of a stream do not share memory, so any order
/// will do in which what is read was written before; where the plan's is none, a diagnostic says at which
/// line.
mlir::FailureOr<std::vector<GivenGroup>> orderAsDecided(std::vector<KernelUse> &uses);

} // namespace daedalus::accelerator

#endif
