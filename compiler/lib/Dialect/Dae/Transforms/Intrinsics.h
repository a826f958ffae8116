// What the hardware computes, declared: an intrinsic is the expression of one row (or tile) and the
// instruction that does it. Tensorize compares a block's body with the expression and its indexing maps with
// the lanes; everything else of the block becomes loops of the instruction. A new intrinsic is a new
// declaration in Intrinsics.cpp. (After TensorIR's tensor intrinsics: Feng et al., ASPLOS 2023.)

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_INTRINSICS_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_INTRINSICS_H

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>
#include <string>
#include <vector>

namespace daedalus::dae {

/// An operand: where it may lie, and which lanes its innermost dimensions run over, one letter each.
struct IntrinsicOperand {
  std::vector<Scope> scopes; ///< none: an operand without storage, such as dae.window
  std::string lanes;
};

/// One instruction to be made: loops in the order of the operands of the block, rows relative to the buffers.
struct IntrinsicMatch {
  mlir::linalg::GenericOp block;
  std::vector<int64_t> immediates; ///< what the # of the expression stood for
  bool accumulate = false;         ///< the old destination counts in the first iteration too
  struct Loop {
    bool reduce;
    int64_t count;
    llvm::SmallVector<int64_t> strides; ///< rows, one an operand of the block
  };
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<int64_t> rows;
};

struct Intrinsic {
  std::string name;
  /// The body: %k is the k-th block argument, # any constant (captured in order).
  std::string expression;
  std::vector<IntrinsicOperand> operands; ///< as the block's, the destination last
  size_t maxLoops;
  /// Of intrinsics that read the old destination: the value that filling it with means starting anew.
  std::optional<int64_t> identity;
  std::function<void(mlir::OpBuilder &, const IntrinsicMatch &)> build;
};

const std::vector<Intrinsic> &intrinsics();

/// The body of a block as an expression over its arguments, such as add(%2,mul(sext(%0),sext(%1))).
std::string describeBody(mlir::linalg::GenericOp block);

/// Whether `pattern` describes `expression`; captures the constants that # stood for.
bool matchExpression(llvm::StringRef pattern, llvm::StringRef expression, std::vector<int64_t> &immediates);

} // namespace daedalus::dae

#endif
