// Pools over windows of images [N,C,...]: named operations of floats where there are some; the others say the
// order of their loops themselves. An image is padded with what a window ignores.

#ifndef DAEDALUS_KERNELS_POOLS_H
#define DAEDALUS_KERNELS_POOLS_H

#include "daedalus/Kernels/Window.h"

namespace daedalus::kernels {

/// The loops of a pool, outermost first: images, channels, output positions but the last, the window, the
/// last position.
class PoolLoops {
public:
  PoolLoops(mlir::MLIRContext *context, const Window &window);

  static unsigned position(unsigned d, unsigned rank) { return d + 1 < rank ? 2 + d : 1 + 2 * rank; }
  static unsigned kernel(unsigned d, unsigned rank) { return 1 + rank + d; }

  mlir::AffineMap x, y, extents;

private:
  mlir::AffineExpr loop(unsigned d) const { return getAffineDimExpr(d, context); }
  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> at) const {
    return mlir::AffineMap::get(count, 0, at, context);
  }

  mlir::MLIRContext *context;
  const unsigned count;
};

/// A tensor of the window's shape, which says how often its loops run.
mlir::Value extents(Body &body, const Window &window);

/// What a pool reads: an image with its padding, and extents().
struct PoolInputs {
  mlir::Value x, extents;
};

/// The maximum of each window and `least`. With channels last, of signed or real numbers and two dimensions.
mlir::Value maxPool(Body &body, PoolInputs in, const Window &window, Sizes shape, mlir::Value least,
                    bool isUnsigned = false, bool channelsLast = false);

/// The mean of each window of float32. The numbers of elements are constants: those that countsAlong() gives
/// for each dimension's `countedEnd`.
mlir::Value averagePool(Body &body, PoolInputs in, const Window &window, Sizes shape, mlir::Value zero,
                        llvm::ArrayRef<std::optional<int64_t>> countedEnd, bool channelsLast = false);

} // namespace daedalus::kernels

#endif
