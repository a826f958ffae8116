// Products of padded images, without the padded ones.

#ifndef DAEDALUS_LIB_TARGET_CUDA_PADDING_H
#define DAEDALUS_LIB_TARGET_CUDA_PADDING_H

#include "Product.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>

namespace daedalus::cuda {

/// A buffer that is filled with a constant, and an image copied into it.
struct Padding {
  mlir::TypedAttr constant;
  mutable mlir::linalg::LinalgOp copy;
  llvm::SmallVector<mlir::Operation *> writers; ///< the fills and the copy

  mlir::Value image() const;
  mlir::memref::SubViewOp place() const;
};

/// What a factor's buffer holds, which nobody but the product reads.
std::optional<Padding> paddingOf(const Factor &factor);

/// A step of each loop along one of a buffer's dimensions, which the map reads.
llvm::SmallVector<int64_t> stepsAlong(mlir::AffineMap map, unsigned dimension);

/// Where a factor is an image that is copied between constants for the product alone, lets it be read of the
/// image, if it is copied to shared memory as fast from there. What pads it, which is of no use then.
llvm::SmallVector<mlir::Operation *> readImages(Product &product);

} // namespace daedalus::cuda

#endif
