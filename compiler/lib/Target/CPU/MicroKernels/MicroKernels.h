// Sums of products as loops around blocks that stay in registers.

#ifndef DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H
#define DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H

#include "Blocks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::cpu {

/// Those of a function on buffers that lowerContractions replaces.
llvm::SmallVector<BlockNeeds> blockNeedsOf(mlir::func::FuncOp function, const Features &features);

/// Replaces the sums of products on buffers of a kernel by loops on vectors; leaves those that have none.
void lowerContractions(mlir::func::FuncOp kernel, const Features &features);

} // namespace daedalus::cpu

#endif
