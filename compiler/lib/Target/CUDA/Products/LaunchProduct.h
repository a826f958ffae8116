// A product as a launch: each block of threads computes a tile of it.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LAUNCHPRODUCT_H
#define DAEDALUS_LIB_TARGET_CUDA_LAUNCHPRODUCT_H

#include "Tile.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// Of the group's root, which is `product`; where `builder` stands.
void launchProduct(const Group &group, const Product &product, const Tile &tile,
                   mlir::gpu::GPUModuleOp device, llvm::StringRef name, mlir::OpBuilder &builder);

} // namespace daedalus::cuda

#endif
