// A straight line of integer operations, run on integers of up to 128 bits: packing functions, and the
// descriptions of intrinsics where they are compared with what their implementations give. It goes by the
// operations themselves, not by the normal form of expressions.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_SCALARFUNCTION_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_SCALARFUNCTION_H

#include "daedalus/Analysis/Expression.h"

#include "mlir/IR/Block.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/APInt.h"

#include <optional>
#include <vector>

namespace daedalus::dae {

class ScalarFunction {
public:
  /// What the terminator of `body` returns of its arguments; an operation that it does not know is an error.
  static mlir::FailureOr<ScalarFunction> read(mlir::Block &body);

  /// What besides its arguments a function depends on.
  struct Surroundings {
    llvm::ArrayRef<int8_t> table{};               ///< of a lookup, whatever its argument
    const RequantFields *requantFields = nullptr; ///< in place of those of a requantization
  };

  /// Its value, nothing where it has no meaning: shifts by more than there are bits, and what requantizations
  /// are not made for.
  std::optional<llvm::APInt> evaluate(llvm::ArrayRef<llvm::APInt> arguments,
                                      const Surroundings &around) const;
  std::optional<llvm::APInt> evaluate(llvm::ArrayRef<llvm::APInt> arguments) const {
    return evaluate(arguments, Surroundings());
  }

private:
  enum class Op : uint8_t {
    Constant,
    Add,
    Subtract,
    Multiply,
    Max,
    Min,
    ShiftLeft,
    ShiftRight,
    ShiftRightZero,
    And,
    Or,
    Xor,
    Extend,
    ExtendZero,
    Truncate,
    Compare,
    Select,
    Lookup,
    Requantize
  };
  struct Node {
    Op op = Op::Constant;
    unsigned bits = 0;
    llvm::SmallVector<unsigned, 4> operands{}; ///< values by number: arguments first
    llvm::APInt constant{};
    int64_t predicate = 0;
    RequantFields requant{};
  };
  static std::optional<Op> known(mlir::Operation &op);
  static std::optional<llvm::APInt> valueOf(const Node &node, llvm::ArrayRef<llvm::APInt> x,
                                            const Surroundings &around);

  std::vector<Node> nodes;
  unsigned result = 0;
};

} // namespace daedalus::dae

#endif
