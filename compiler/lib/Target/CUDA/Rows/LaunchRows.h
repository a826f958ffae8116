// Chains of operations on rows as one launch.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_LAUNCHROWS_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_LAUNCHROWS_H

#include "Schedule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace daedalus::cuda {

/// A chain, and how threads share its rows; nothing where they share all elements.
struct Rows {
  Chain chain;
  std::optional<RowSchedule> schedule;
};

/// Those that begin at an operation of a kernel; nothing where there is no chain, or where threads that
/// compute element by element are as good.
std::optional<Rows> rowsAt(mlir::Operation *op);
/// Launches them behind their last operation.
void launchRows(const Rows &rows, mlir::gpu::GPUModuleOp device, llvm::StringRef name);

} // namespace daedalus::cuda

#endif
