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

/// The loops of numpy's product of batches of matrices: the batch, rows, the reduction, columns; vectors have
/// no rows or no columns.
class BatchLoops {
public:
  BatchLoops(mlir::MLIRContext *context, Sizes left, Sizes right, size_t outputRank);

  mlir::AffineMap left, right, output;
  mlir::AffineExpr row, column; ///< the last loops that the left and the right operand have for themselves

private:
  mlir::AffineExpr loop(unsigned d) const { return mlir::getAffineDimExpr(d, context); }
  /// The map of an operand of `shape`: its dimensions of the batch, by numpy's broadcast, and these.
  mlir::AffineMap operand(Sizes shape, llvm::ArrayRef<unsigned> matrix) const;

  mlir::MLIRContext *context;
  const unsigned batch, depth, count;
};

/// The product of batches of matrices, or of vectors, by numpy's rules, of `shape`: of floats as a named
/// operation, the rows of a batch joined to one matrix, where there is one that means the same.
mlir::Value batchProduct(Body &body, mlir::Value x, mlir::Value y, Sizes shape, mlir::Type type);

/// A named product of floats.
template <class Op> mlir::Value namedProduct(Body &body, mlir::Value x, mlir::Value y, Sizes shape) {
  return body.named<Op>({x, y}, body.filled(shape, 0, elementOf(x)));
}

} // namespace daedalus::kernels

#endif
