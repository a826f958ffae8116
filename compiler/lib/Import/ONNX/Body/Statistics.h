// Means and variances over a tensor's last dimensions.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BODY_STATISTICS_H
#define DAEDALUS_LIB_IMPORT_ONNX_BODY_STATISTICS_H

#include "Body/Kernel.h"

namespace daedalus::onnximport {

/// The numbers from `first` to before `end`.
llvm::SmallVector<unsigned> range(unsigned first, unsigned end);

/// The mean of all elements over the dimensions from `first` on, of their squares, or of their squared
/// distances from `centre`.
mlir::Value meanOf(Body &body, mlir::Value x, unsigned first);
mlir::Value meanOfSquares(Body &body, mlir::Value x, unsigned first, mlir::Value centre = nullptr);

/// The mean of each channel, dimension 1 of x, or of its squared distances from `centre`.
mlir::Value channelMean(Body &body, mlir::Value x, mlir::Value centre);

/// The softmax of x along these axes, or its logarithm.
mlir::Value softmaxAlong(Body &body, mlir::Value x, llvm::ArrayRef<unsigned> axes, bool ofLogarithm);

/// 1 / sqrt(x + epsilon).
mlir::Value inverseRoot(Body &body, mlir::Value x, double epsilon);

/// Of x over the dimensions from `first` on: the mean, and what distances from it are multiplied with.
struct Statistics {
  Statistics(Body &body, mlir::Value x, unsigned first, double epsilon)
      : outer(body.loops(shapeOf(x).size(), range(0, first))), mean(meanOf(body, x, first)),
        factor(inverseRoot(body, meanOfSquares(body, x, first, mean), epsilon)) {}

  const mlir::AffineMap outer; ///< from the indices of x to those of mean and factor
  const mlir::Value mean, factor;
};

} // namespace daedalus::onnximport

#endif
