// The first half of the path, shared by compileStream and the pass dae-blockize.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_H

#include "Schedule.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

namespace daedalus::accelerator {

/// The kernel of a function in the form that schedules are for, on tensors that are `dense` or parts of wider
/// ones; `reason` says why there is none.
std::optional<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine,
                                     std::string &reason, bool dense = true);

/// The schedule written on the kernel function (dae.schedule), or all that fit, the cheapest by the closed
/// form first; none where nothing fits.
std::vector<RankedSchedule> schedulesOf(mlir::func::FuncOp func, const Kernel &kernel,
                                        const isa::Machine &machine, std::string &reason);

/// Sets the stream's module, with the function @stream: the tiles of all calls as blocks on scoped buffers.
mlir::LogicalResult blockizeCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                  llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                  const DramPlacement &placement, Planning &planning,
                                  std::vector<uint8_t> &constants, AcceleratorStream &result);

} // namespace daedalus::accelerator

#endif
