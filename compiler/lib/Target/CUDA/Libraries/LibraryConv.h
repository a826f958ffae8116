// Convolutions that a library computes.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LIBRARYCONV_H
#define DAEDALUS_LIB_TARGET_CUDA_LIBRARYCONV_H

#include "Products/Product.h"

#include "cuda_conv.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include <array>
#include <optional>

namespace daedalus::cuda {

/// A convolution, and what it reads.
struct FoundConv {
  Conv conv;
  mlir::Value image, filters;
  llvm::SmallVector<mlir::Operation *> unused; ///< what pads the image
};

/// What a product is as a convolution of two dimensions in one group: images N, H, W, C by filters F, R, S,
/// C, or N, C, H, W by F, C, R, S, of float32 or float16. Nothing of others, and of images that are padded
/// with what is not 0, or such that windows would not be as many with as much behind as in front.
std::optional<FoundConv> convOf(const Product &product);

/// Sums that are rounded to float16 before anything else is computed of them are rounded by an operation of
/// their own, in front of this one, from then on: the library's call does that.
void splitRounding(mlir::linalg::GenericOp op, mlir::Value sums);

/// Whether an operation rounds the elements of its one input to float16, each to the same place.
bool isRounding(mlir::linalg::GenericOp op);

void createConv(mlir::OpBuilder &b, mlir::Location loc, const Conv &conv, mlir::StringAttr function,
                const std::array<mlir::Value, 3> &buffers, mlir::UnitAttr accumulates);

/// An operation's convolution as a package has it.
Conv convOf(ConvOp op);

} // namespace daedalus::cuda

#endif
