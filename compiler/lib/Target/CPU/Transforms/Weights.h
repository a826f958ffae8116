// Constant weights of sums of products, and other orders of them.

#ifndef DAEDALUS_LIB_TARGET_CPU_WEIGHTS_H
#define DAEDALUS_LIB_TARGET_CPU_WEIGHTS_H

#include "MicroKernels/Contraction.h"

namespace daedalus::cpu {

/// Constant weights, of which a tile may have some columns.
struct Weights {
  mlir::DenseElementsAttr values; ///< all of them
  mlir::OpFoldResult firstColumn; ///< of a tile that has some of their columns; else null

  static std::optional<Weights> of(const Contraction &c);
};

/// Whether an index is the place of a loop that begins and goes on in multiples of `factor`.
bool isMultipleOf(mlir::OpFoldResult index, int64_t factor);

/// A dimension of rearranged weights: its size, and by how many elements and columns each of its steps moves
/// in the weights.
struct Axis {
  int64_t size, step, columns;
};

/// Of the weights, the elements from step to step of each loop.
llvm::SmallVector<int64_t> stridesOf(const Contraction &c, mlir::DenseElementsAttr weights);

/// The weights with these dimensions; zeros where there is no such column.
mlir::DenseElementsAttr rearranged(mlir::DenseElementsAttr weights, llvm::ArrayRef<Axis> axes,
                                   int64_t columns);

/// Of rearranged weights the part [first, first + size) along a dimension.
mlir::Value partOf(mlir::DenseElementsAttr values, unsigned dimension, mlir::OpFoldResult first, int64_t size,
                   mlir::OpBuilder &b, mlir::Location loc);

} // namespace daedalus::cpu

#endif
