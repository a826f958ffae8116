// Products of padded images, without the padded ones.

#ifndef DAEDALUS_LIB_TARGET_CUDA_PADDING_H
#define DAEDALUS_LIB_TARGET_CUDA_PADDING_H

#include "Product.h"

namespace daedalus::cuda {

/// Where a factor is an image that is copied between constants for the product alone, lets it be read of the
/// image, if it is copied to shared memory as fast from there. What pads it, which is of no use then.
llvm::SmallVector<mlir::Operation *> readImages(Product &product);

} // namespace daedalus::cuda

#endif
