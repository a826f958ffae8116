// Packing functions: func.func of integers up to 128 bits, evaluated at compile time.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_PACKING_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_PACKING_H

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/APInt.h"

namespace daedalus::dae {

class Packing {
public:
  struct Constant {
    unsigned bits;
    int64_t low, high; ///< what it may be
  };

  const std::vector<Constant> &constants() const { return inputs; }
  /// The bytes of an element, least first: bits / 8 of the operand.
  std::vector<uint8_t> pack(llvm::ArrayRef<int64_t> constants) const;

private:
  friend mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits);
  enum class Op : uint8_t {
    Constant,
    Add,
    Sub,
    Mul,
    Shl,
    ShrU,
    ShrS,
    And,
    Or,
    Xor,
    ExtendSign,
    ExtendZero,
    Truncate
  };
  struct Node {
    Op op;
    unsigned bits;
    unsigned a = 0, b = 0; ///< values by number: inputs first
    llvm::APInt constant{};
  };
  std::vector<Constant> inputs;
  std::vector<Node> nodes;
  unsigned result = 0;
};

/// Reads the function that makes elements of `bits` bits; what is wrong with it is a diagnostic.
mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits);

} // namespace daedalus::dae

#endif
