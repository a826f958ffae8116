// Lowered kernels as the code of a package.

#ifndef DAEDALUS_LIB_TARGET_CUDA_CODE_H
#define DAEDALUS_LIB_TARGET_CUDA_CODE_H

#include "cuda_code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::cuda {

/// The code of a package while it grows: an image for each GPU, which share constants and scratch memory.
struct CodeWriter {
  /// Adds the launches of kernels that cuda-lower-kernels left, in order, with the constants that they read,
  /// as an image without its bytes.
  mlir::LogicalResult addImage(llvm::ArrayRef<mlir::func::FuncOp> kernels);

  Code code;
  llvm::DenseMap<mlir::Attribute, uint64_t> constants; ///< where they lie
};

} // namespace daedalus::cuda

#endif
