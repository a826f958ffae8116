// Operations that read along one dimension and write along another one, through shared memory.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_TRANSPOSITION_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_TRANSPOSITION_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace daedalus::cuda {

/// Of an operation that computes element by element: the loop along which it writes neighbours in memory, and
/// the one along which inputs have theirs.
struct Transposition {
  mutable mlir::linalg::LinalgOp op;
  unsigned written, read;
  llvm::SmallVector<unsigned> inputs; ///< the numbers of these inputs
};

/// Nothing where there is no such input, or where little is moved.
std::optional<Transposition> transpositionOf(mlir::linalg::LinalgOp op);
/// Launches it behind the operation: each block of threads moves a tile.
void launchTransposition(const Transposition &transposition, mlir::gpu::GPUModuleOp device,
                         llvm::StringRef name);

} // namespace daedalus::cuda

#endif
