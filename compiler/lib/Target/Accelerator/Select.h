// Instruction selection: the operations of VECTOR that compute a kernel's tail.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_SELECT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_SELECT_H

#include "Kernel.h"

namespace daedalus::accelerator {

/// Sets stages, constants and temporaries; false, and why, where VECTOR cannot compute the tail. Nodes of the
/// expression from `firstJoined` on belong to a joined kernel.
bool selectStages(Kernel &kernel, std::string &reason, ExprId firstJoined = UINT32_MAX);

/// What follows `producer`, which has a reduction, where `consumer`, which has none, reads its result as its
/// input `input` and nothing else does; nothing where that cannot be one kernel.
std::optional<Kernel> joined(const Kernel &producer, const Kernel &consumer, size_t input);

} // namespace daedalus::accelerator

#endif
