// Operations on buffers that are computed row by row, such as those of a softmax: reductions of rows, what is
// computed of their results, and what is computed of each element of a row.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_CHAIN_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_CHAIN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace daedalus::cuda {

/// An operation of a chain.
struct Step {
  enum class Kind {
    Elements,  ///< an element of its result for each one of a row
    Reduction, ///< a number for each row, of all of its elements
    Number     ///< a number for each row, of such numbers
  };
  Kind kind;
  mutable mlir::linalg::LinalgOp op;
  mutable mlir::linalg::FillOp fill;   ///< what the result of a reduction begins with
  mlir::Operation *combiner = nullptr; ///< of a reduction: the operation that takes one more element in
  llvm::SmallVector<unsigned> loops;   ///< the chain's, of each loop of `op`
  llvm::SmallVector<int> producers;    ///< of each operand: the step whose result it is, or -1, for memory
  /// In which pass over the elements it is computed; of numbers, behind which one, or -1, before all.
  int pass = 0;
  bool isStored = false; ///< whether somebody behind the chain reads its result

  /// An operand's indices of the chain's loops.
  mlir::AffineMap mapOf(mlir::OpOperand &operand, unsigned loopsOfChain) const;
  mlir::OpOperand &result() const { return *op.getDpsInitOperand(0); }
};

struct Chain {
  llvm::SmallVector<int64_t> sizes;                  ///< of the loops
  llvm::SmallVector<unsigned> rowLoops, columnLoops; ///< the first the slowest
  llvm::SmallVector<Step> steps;
  int64_t rows = 1, columns = 1;
  int passes = 0;
  bool isAlongColumns = false; ///< whether neighbours in memory are those of a row

  mlir::Operation *last() const { return steps.back().op; }
  /// Whether an operand is another one for each element of a row.
  bool hasColumns(mlir::AffineMap map) const;
};

/// The chain that begins at an operation of a kernel: one reduction at least, of an operand with an element
/// for each row and column.
std::optional<Chain> chainAt(mlir::Operation *op);

/// Operations that compute element by element, and where elements are neighbours in memory, as one row.
std::optional<Chain> elementsAt(mlir::Operation *op);

/// The operation that takes an element into the reduction that an operation is, if elements can be taken in
/// in any order; else null.
mlir::Operation *combinerOf(mlir::linalg::LinalgOp op);

} // namespace daedalus::cuda

#endif
