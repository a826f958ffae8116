// The first half of the path, shared by compileStream and the pass dae-blockize.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_H

#include "Tiles.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

namespace daedalus::accelerator {

/// The kernel of a function in the form that schedules are for, on tensors that are `dense` or parts of wider
/// ones; `reason` says why there is none.
std::optional<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine,
                                     std::string &reason, bool dense = true);

/// The schedules of a kernel that fit, the cheapest by the closed form first; null where nothing fits, and
/// then `reason` says why.
RankedSchedules schedulesOf(const Kernel &kernel, const isa::Machine &machine, Planning &planning,
                            std::string &reason);

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

/// Sets the stream's module, with the function @stream: the tiles of all calls as blocks on scoped buffers.
mlir::LogicalResult blockizeCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                  llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                  const DramPlacement &placement, Planning &planning,
                                  std::vector<uint8_t> &constants, AcceleratorStream &result);

} // namespace daedalus::accelerator

#endif
