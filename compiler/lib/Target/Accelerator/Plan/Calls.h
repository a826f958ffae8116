// Consecutive calls of kernels, prepared and planned.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_CALLS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_CALLS_H

#include "Lowering/Tiles.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

namespace daedalus::accelerator {

/// Calls of kernels, planned.
struct PlannedCalls {
  std::vector<KernelCall> calls;
  TileProgram program;
  uint64_t expectedCycles = 0;
  std::vector<mlir::Value> unstored; ///< as AcceleratorStream has them
};

/// Plans consecutive calls of one stream, as `planning` is given and records it.
mlir::FailureOr<PlannedCalls> planCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                        llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                        const DramPlacement &placement, Planning &planning);

} // namespace daedalus::accelerator

#endif
