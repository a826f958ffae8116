// Packing functions: what an element of an operand is of the constants of a block, at compile time.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_PACKING_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_PACKING_H

#include "ScalarFunction.h"

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus::dae {

class Packing {
public:
  struct Constant {
    unsigned bits;
    int64_t low, high; ///< what it may be
  };

  const std::vector<Constant> &constants() const { return inputs; }
  /// The element of these constants; nothing where the function has no meaning for them.
  std::optional<llvm::APInt> pack(llvm::ArrayRef<int64_t> constants) const;

private:
  friend mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits);
  std::vector<Constant> inputs;
  ScalarFunction element;
};

/// Reads the function that makes elements of `bits` bits; what is wrong with it is a diagnostic.
mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits);

} // namespace daedalus::dae

#endif
