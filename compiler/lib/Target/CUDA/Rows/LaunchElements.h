// Operations that compute element by element as one launch, with vectors of neighbours.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_LAUNCHELEMENTS_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_LAUNCHELEMENTS_H

#include "Chain.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace daedalus::cuda {

/// Launches a chain that elementsAt found, behind its last operation.
void launchElements(const Chain &chain, mlir::gpu::GPUModuleOp device, llvm::StringRef name);

} // namespace daedalus::cuda

#endif
