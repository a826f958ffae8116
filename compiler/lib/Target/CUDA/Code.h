// Lowered kernels as the code of a package.

#ifndef DAEDALUS_LIB_TARGET_CUDA_CODE_H
#define DAEDALUS_LIB_TARGET_CUDA_CODE_H

#include "cuda_code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::cuda {

/// The launches of kernels that cuda-lower-kernels left, in order, with the constants that they read; images
/// are not there yet.
mlir::FailureOr<Code> codeOf(llvm::ArrayRef<mlir::func::FuncOp> kernels);

} // namespace daedalus::cuda

#endif
