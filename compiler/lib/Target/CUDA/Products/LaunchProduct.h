// A product as a launch: each block of threads computes a tile of it.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LAUNCHPRODUCT_H
#define DAEDALUS_LIB_TARGET_CUDA_LAUNCHPRODUCT_H

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// Whether the group is a product that tiles compute; then it is launched where `builder` stands.
bool launchProduct(const Group &group, mlir::gpu::GPUModuleOp device, llvm::StringRef name,
                   mlir::OpBuilder &builder);

} // namespace daedalus::cuda

#endif
