// Sums of products: convolutions and matrix products, on tensors or buffers, in the terms in which code for
// them is made.

#ifndef DAEDALUS_LIB_TARGET_CPU_CONTRACTION_H
#define DAEDALUS_LIB_TARGET_CPU_CONTRACTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

#include <optional>

namespace daedalus::cpu {

constexpr int64_t PanelWidth =
    16;                         ///< outputs whose weights lie side by side, whatever the width of vectors is
constexpr int64_t DotWidth = 4; ///< products of bytes that one instruction adds up

/// `out += a * b` of float32, or of bytes that are extended to int32 (those of `scalars` may be widened to
/// int16 before: WideBytes.h).
struct Contraction {
  mutable mlir::linalg::LinalgOp op;
  mlir::OpOperand *vectors; ///< the operand that is read along the innermost loop of the output
  mlir::OpOperand *scalars; ///< the other one
  unsigned inner;           ///< that loop
  bool isFloat;

  /// Null maps are not linear, or the body computes something else.
  static std::optional<Contraction> of(mlir::linalg::LinalgOp op);

  mlir::AffineMap vectorMap() const { return op.getMatchingIndexingMap(vectors); }
  mlir::AffineMap scalarMap() const { return op.getMatchingIndexingMap(scalars); }
  mlir::AffineMap outputMap() const { return op.getIndexingMapsArray().back(); }
  bool isReduction(unsigned loop) const {
    return mlir::linalg::isReductionIterator(op.getIteratorTypesArray()[loop]);
  }
};

/// Those of a function, in its order: for who changes them.
llvm::SmallVector<mlir::linalg::LinalgOp> linalgOps(mlir::func::FuncOp kernel);

/// The operation in front of another one, or behind it, that reads or writes memory; null if there is none.
mlir::Operation *effectBefore(mlir::Operation *op);
mlir::Operation *effectBehind(mlir::Operation *op);

/// By how much each result of a linear map grows with each of its loops: [result][loop]; nothing where it is
/// not linear, or is not 0 at the origin.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>> coefficientsOf(mlir::AffineMap map);

} // namespace daedalus::cpu

#endif
