// A dae.intrinsic as data: its arguments, the expression of its description, and the instructions of its
// implementation, checked so far as one look at it can (what it computes is run: Check.h).

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_DECLARATION_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_DECLARATION_H

#include "ScalarFunction.h"

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::dae {

/// An operand of the description.
struct DeclaredOperand {
  std::string name;
  bool isScalar = false; ///< a constant of the block, from low to high
  int64_t low = 0, high = 0;
  bool isWidened = false; ///< int32 that may lie as int8
  llvm::SmallVector<Scope> scopes{};
  bool mayBeImmediate = false;
  unsigned bits = 0; ///< of an element of the description
  llvm::SmallVector<unsigned, 2> lanes{};
  std::shared_ptr<const Packing> packing{};
};

struct Declaration {
  std::string name;
  mlir::Location place;
  std::vector<DeclaredOperand> operands{}; ///< in the order of the description, the destination last
  Expressions expressions{};               ///< of these operands
  ExprId element = 0;
  Combiner combiner = Combiner::None;
  int64_t neutral = 0;
  std::vector<IntrinsicStep> steps{}; ///< operands and immediates by the numbers of `operands`
  unsigned temporaries = 0;
  bool requantizes = false; ///< the description has a requantization

  ScalarFunction body{};                 ///< of the description, to be run
  llvm::SmallVector<bool, 2> parallel{}; ///< whether each iterator of the description is

  unsigned destination() const { return operands.size() - 1; }
  bool reducesLanes() const { return llvm::is_contained(parallel, false); }
};

/// Reads a declaration; what is wrong with it is a diagnostic at its operations.
mlir::FailureOr<Declaration> readDeclaration(IntrinsicOp op);

/// The intrinsics of a declaration, one a choice of scopes that the instruction set has; an error where there
/// is none.
mlir::LogicalResult addIntrinsics(const Declaration &declaration, Intrinsics &all);

} // namespace daedalus::dae

#endif
