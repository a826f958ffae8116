// Puts the steps of a chain together. The loops of a chain are those of its first reduction, or operation;
// the loops of another operation are found by the buffers that both of them, or what was found before, read
// or write.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_CHAINBUILDER_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_CHAINBUILDER_H

#include "Chain.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// An operation with what fills its result before.
struct Candidate {
  mutable mlir::linalg::LinalgOp op;
  mutable mlir::linalg::FillOp fill;
};

class ChainBuilder {
public:
  static bool isReduction(const Candidate &candidate);
  /// With all candidates before a reduction, and behind it as many as fit.
  std::optional<Chain> ofReduction(llvm::ArrayRef<Candidate> candidates, size_t reduction);
  /// One row of all elements of the first candidate's result.
  std::optional<Chain> ofElements(llvm::ArrayRef<Candidate> candidates);

private:
  std::optional<Chain> addAll(llvm::ArrayRef<Candidate> candidates);
  /// Columns are ordered as they lie in the operand's memory.
  void setLoops(mlir::linalg::LinalgOp op, mlir::OpOperand *operand);
  /// Which loops of the chain the dimensions of an operation's operands are.
  void learn(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops);
  /// The loops of the chain that an operation's loops are; nothing where that cannot be told, or two would be
  /// the same.
  std::optional<llvm::SmallVector<unsigned>> loopsOf(mlir::linalg::LinalgOp op);
  bool isRow(unsigned loop) const { return llvm::is_contained(chain.rowLoops, loop); }
  /// Of all loops or, of a number for each row, of those of rows.
  std::optional<Step> stepOf(const Candidate &candidate);
  mlir::AffineMap mapOf(const Step &step, mlir::OpOperand &operand) const {
    return step.mapOf(operand, chain.sizes.size());
  }
  /// Whether the step can be one of the chain: what it reads is what one step made of the same element or
  /// row, or nobody's; what it writes is read before at the same element alone.
  bool add(Step step);
  bool isResultOf(const Step &step, mlir::Value buffer, mlir::AffineMap map) const;
  bool canWrite(const Step &step) const;
  /// As early as what it reads allows, but not before steps on elements that stand before it.
  void setPass(Step &step);
  /// What is read behind the chain: arguments of the kernel, and what others use.
  void finish();

  Chain chain;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> loopsOfBuffer;
  llvm::DenseMap<mlir::Value, size_t> written; ///< by buffer: the last step that does
  /// Of what no step wrote before.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<mlir::Value, mlir::AffineMap>>> read;
};

} // namespace daedalus::cuda

#endif
