// A structured operation as a block: iterators, how each operand is accessed, and the expression of an
// element. (After the blocks of TensorIR: Feng et al., ASPLOS 2023.) Named and generic operations give the
// same block, and so do operands behind pads and reshapes.

#ifndef DAEDALUS_ANALYSIS_BLOCK_H
#define DAEDALUS_ANALYSIS_BLOCK_H

#include "daedalus/Analysis/Expression.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace daedalus {

/// Whether one step of a loop always moves by the same number: no divisions. Operations of linalg have no
/// symbols.
bool isLinear(mlir::AffineExpr expr);

struct Iterator {
  bool isReduction;
  int64_t extent; ///< 2 or more: iterators of one iteration are left out
};

/// A sum of iterators times factors, and an offset.
struct Coordinate {
  llvm::SmallVector<int64_t, 6> factors; ///< one an iterator
  int64_t offset = 0;

  bool operator==(const Coordinate &other) const {
    return factors == other.factors && offset == other.offset;
  }
  /// The only iterator in it, or nothing; `offset` is 0 then.
  std::optional<unsigned> onlyIterator() const;
};

/// What a block reads or writes at a point of its iterators.
struct Access {
  mlir::Value tensor{}; ///< behind pads and reshapes
  llvm::SmallVector<int64_t, 5>
      shape{}; ///< of the tensor, or another one of as many elements in the same order
  llvm::SmallVector<Coordinate, 5> at{}; ///< one a dimension of the shape, and at least one
  std::optional<int64_t> fill{};         ///< what is read outside of the shape

  int64_t elements() const;
  /// Elements from the tensor's first one, inside of the shape.
  Coordinate linear() const;
};

struct Block {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<Iterator, 6> iterators{};
  /// Arguments of the expression by number; the output, as it was, is the next one.
  llvm::SmallVector<Access, 4> inputs{};
  Access output{};
  Expressions expressions{};
  ExprId result = 0;
  std::optional<int64_t> start{}; ///< what all elements of the output are before; nothing: something else

  /// 1 where there is none.
  int64_t extentOf(std::optional<unsigned> iterator) const {
    return iterator ? iterators[*iterator].extent : 1;
  }
  unsigned outputNumber() const { return inputs.size(); }
  bool reads(unsigned argument) const;
  bool hasReductions() const;
  /// Whether each element of the output is written once, and in the order of the iterators.
  bool writesInOrder() const;
};

/// The block of an operation on tensors of a static shape with one result, or why it is none.
/// Inputs that are not read are left out, equal ones are one, scalar constants are in the expression.
/// Iterators stand in the order of the output, reductions last.
Result<Block> blockOf(mlir::linalg::LinalgOp op);

/// The block of `user` that computes `producer`, a block without reductions, in place of reading it at
/// `input`; nothing where the user reads it in another shape than it was written, or outside of it.
std::optional<Block> inlined(const Block &user, unsigned input, const Block &producer);

/// The blocks of all structured operations of `body`, by their results, those without reductions part of the
/// block that reads them where that can be. Operations that are no block are left out.
llvm::DenseMap<mlir::Value, Block> blocksOf(mlir::Block &body);

/// What all elements of a tensor are: of a splat constant, or of a block that writes a constant to all of
/// them.
std::optional<int64_t> uniformValue(mlir::Value tensor);

} // namespace daedalus

#endif
