// What the operations that are libraries' calls have in common.

#ifndef DAEDALUS_LIB_TARGET_CUDA_CALLOPERANDS_H
#define DAEDALUS_LIB_TARGET_CUDA_CALLOPERANDS_H

#include "cuda_call.h"

#include "mlir/IR/Operation.h"

namespace daedalus::cuda {

/// Of an element: float32 of what is none of a call's.
package::DType typeOf(mlir::Type type);

/// Verifies an operation with an attribute `function` and three buffers. `illegal`: what it is said to have
/// where sizes are none of its kind.
mlir::LogicalResult verifyCall(mlir::Operation *op, const Call &call, llvm::StringRef illegal);

} // namespace daedalus::cuda

#endif
