// Sums of products as loops around blocks that stay in registers.

#ifndef DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H
#define DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H

#include "Features.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>

namespace daedalus::cpu {

/// Rows of the output, and panels of columns, that are computed at once.
struct Block {
  int64_t rows = 1, panels = 1;
};

/// The block of the least time for an output of this many rows and panels: at most [rows] by [panels].
/// `accumulators`: registers that a row of a panel takes.
Block chooseBlock(int64_t rows, int64_t panels, unsigned accumulators, const Features &features);

/// Replaces the sums of products on buffers of a kernel by loops on vectors; leaves those that have none.
void lowerContractions(mlir::func::FuncOp kernel, const Features &features);

} // namespace daedalus::cpu

#endif
