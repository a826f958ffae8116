// The body of an operation on buffers for elements side by side.

#ifndef DAEDALUS_LIB_TARGET_CPU_VECTORBODY_H
#define DAEDALUS_LIB_TARGET_CPU_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::cpu {

constexpr int64_t LineBytes = 64; ///< of the caches

/// The buffer that a value is a part or another shape of.
mlir::Value baseOf(mlir::Value buffer);

class VectorBody {
public:
  using Places = llvm::SmallVector<mlir::Value>; ///< of each operand in its flat buffer

  VectorBody(mlir::linalg::LinalgOp op, mlir::OpBuilder &builder) : op(op), b(builder), loc(op.getLoc()) {}

  /// False where it is not known how far apart elements lie.
  bool findSteps();
  /// By how many elements an operand moves with a loop; the last operand is the output.
  int64_t stepOf(unsigned operand, unsigned loop) const { return steps[operand][loop]; }
  unsigned output() const { return op->getNumOperands() - 1; }

  /// Whether the operand counts for the code: it is the output, or the body reads it.
  bool isUsed(mlir::OpOperand &operand);
  /// Whether the body takes what the output was before.
  bool takesOutput() { return !op.getBlock()->getArguments().back().use_empty(); }

  /// Loads of an operand bring the elements so far behind into the caches.
  void fetchAhead(unsigned operand, int64_t elements) { ahead[operand] = elements; }

  /// From here on vectors go along `loop`. The places of the first elements.
  Places begin(unsigned loop);
  Places moved(const Places &at, mlir::Value by, unsigned loop);

  mlir::Value splat(mlir::Value scalar, int64_t width);
  mlir::Value load(unsigned operand, const Places &at, int64_t width);
  /// What the body makes of `width` elements, where the output was `before`; null where that does not count.
  mlir::Value compute(const Places &at, mlir::Value before, int64_t width);
  void store(mlir::Value vector, const Places &at);
  /// Past the caches, to lines of them or to a part of one that is a power of two.
  void storePastCaches(mlir::Value vector, const Places &at);
  /// Where the output's buffer begins, as a number.
  mlir::Value address();

private:
  mlir::Type elementOf(unsigned operand);
  /// Whether it is a buffer that the code reads or writes.
  bool isRead(mlir::OpOperand &operand);

  void prefetch(unsigned operand, const Places &at, int64_t width);

  mlir::linalg::LinalgOp op;
  mlir::OpBuilder &b;
  const mlir::Location loc;
  llvm::SmallVector<llvm::SmallVector<int64_t>> steps; ///< of each operand along each loop
  llvm::SmallVector<mlir::Value> flat;                 ///< null of an operand that is not read
  llvm::SmallVector<int64_t> ahead; ///< elements from a load to what is fetched; 0: nothing
  unsigned lane = 0;                ///< the loop of vectors
};

} // namespace daedalus::cpu

#endif
