// Convolutions and products of matrices. Those of floats are named operations where one means the same; the
// others say the order of their loops themselves, with the one that runs along the output's rows innermost.

#ifndef DAEDALUS_KERNELS_PRODUCTS_H
#define DAEDALUS_KERNELS_PRODUCTS_H

#include "daedalus/Kernels/Window.h"

namespace daedalus::kernels {

/// The loops of a convolution, y [N,G,OC/G,...], x [N,C,...], w [OC,C/G,...]: n, group, output channel of the
/// group, output positions but the last, channel of the group, the kernel, the last position.
class ConvolutionLoops {
public:
  ConvolutionLoops(mlir::MLIRContext *context, const Window &window, Sizes weights, int64_t groups);

  mlir::AffineMap x, w, y;
  mlir::AffineExpr channel; ///< of the output

private:
  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> at) const {
    return mlir::AffineMap::get(count, 0, at, context);
  }

  mlir::MLIRContext *context;
  unsigned count;
};

/// x [N,C,...] with its padding, by what `weight` makes of the elements that are read of w [OC,C/groups,...];
/// the result [N,OC,...], of `shape`.
mlir::Value convolution(Body &body, mlir::Value x, const ConvolutionLoops &loops, int64_t groups, Sizes shape,
                        mlir::Type type, Reads w, Body::Combine weight);
/// Of floats.
mlir::Value convolution(Body &body, mlir::Value x, mlir::Value w, const Window &window, int64_t groups,
                        Sizes shape);

/// The product of matrices of floats, x or y transposed; a constant y is then transposed here.
mlir::Value matrixProduct(Body &body, mlir::Value x, mlir::Value y, bool transX = false, bool transY = false);

/// A named product of floats.
template <class Op> mlir::Value namedProduct(Body &body, mlir::Value x, mlir::Value y, Sizes shape) {
  return body.named<Op>({x, y}, body.filled(shape, 0, elementOf(x)));
}

} // namespace daedalus::kernels

#endif
