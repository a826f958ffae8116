// The calls that passes on a module plan and lower: of each of its streams, or of @main in a module of
// kernels alone.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_STREAMCALLS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_STREAMCALLS_H

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include <vector>

namespace daedalus::accelerator {

/// The calls of one function that become one stream.
struct StreamCalls {
  mlir::func::FuncOp function;
  host::StepOp step; ///< that runs it; null in a module of kernels alone
  std::vector<mlir::func::CallOp> calls;
  std::vector<uint32_t> layers; ///< of each call
  DramPlacement placement;
};

/// In a module with a host.package the streams that no pass has lowered yet, as form-streams and plan-memory
/// leave them; in another the calls of @main, whose tensors then lie one after the other in the arena. A
/// failure is a diagnostic.
mlir::FailureOr<std::vector<StreamCalls>> streamCallsOf(mlir::ModuleOp module);

/// Whether a function of a module at level `dae` is a stream of instructions; a diagnostic says what is not.
mlir::LogicalResult checkLowered(mlir::func::FuncOp stream);

} // namespace daedalus::accelerator

#endif
