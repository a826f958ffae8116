// Instruction selection: the operations of VECTOR that compute a kernel's tail.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_SELECT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_SELECT_H

#include "Kernels/Kernel.h"

namespace daedalus::accelerator {

/// Sets stages, constants and temporaries; an error says why VECTOR cannot compute the tail. Nodes of the
/// expression from `firstFused` on belong to a fused kernel.
Result<void> selectStages(Kernel &kernel, ExprId firstFused = UINT32_MAX);

} // namespace daedalus::accelerator

#endif
