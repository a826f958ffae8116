// The kernels of a model that run on the GPU.

#ifndef DAEDALUS_LIB_TARGET_CUDA_KERNELS_H
#define DAEDALUS_LIB_TARGET_CUDA_KERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus::cuda {

/// Those of a module's steps, in order.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module);

} // namespace daedalus::cuda

#endif
