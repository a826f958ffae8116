// See KernelBodies.h.

#include "KernelBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace daedalus::accelerator {
namespace {

using mlir::Value;
namespace arith = mlir::arith;

Value yieldedBy(mlir::linalg::LinalgOp op) {
  return op.getBlock()->getTerminator()->getOperand(0);
}

bool isArgument(mlir::linalg::LinalgOp op, Value value, unsigned k) {
  return k < op.getBlock()->getNumArguments() && value == op.getBlock()->getArgument(k);
}

/// int8 argument k, extended with its sign to more bits.
bool isExtended(mlir::linalg::LinalgOp op, Value value, unsigned k) {
  auto extended = value.getDefiningOp<arith::ExtSIOp>();
  return extended && isArgument(op, extended.getIn(), k) && extended.getIn().getType().isSignlessInteger(8);
}

bool isWide(mlir::linalg::LinalgOp op, Value value, unsigned k) {
  return isExtended(op, value, k) && value.getType().isSignlessInteger(32);
}

std::optional<int64_t> constantOf(Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant)) || constant.getSignificantBits() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

/// Whether `value` is an Op of what `left` and `right` take, in one or the other order.
template <class Op, class Left, class Right> bool isEitherWay(Value value, Left left, Right right) {
  auto op = value.getDefiningOp<Op>();
  return op && ((left(op.getLhs()) && right(op.getRhs())) || (left(op.getRhs()) && right(op.getLhs())));
}

/// The constant that int8 argument k is multiplied by.
std::optional<int32_t> factorOf(mlir::linalg::LinalgOp op, Value value, unsigned k) {
  std::optional<int64_t> factor;
  const bool isScaled = isEitherWay<arith::MulIOp>(
      value, [&](Value x) { return isWide(op, x, k); },
      [&](Value c) { return (factor = constantOf(c)).has_value(); });
  return isScaled ? std::optional<int32_t>(*factor) : std::nullopt;
}

/// The constant that int8 argument k is reduced by.
std::optional<int32_t> zeroOf(mlir::linalg::LinalgOp op, Value value, unsigned k) {
  auto difference = value.getDefiningOp<arith::SubIOp>();
  if (!difference || !isWide(op, difference.getLhs(), k))
    return std::nullopt;
  const std::optional<int64_t> zero = constantOf(difference.getRhs());
  return zero ? std::optional<int32_t>(*zero) : std::nullopt;
}

/// An Op of what `of` reads of argument 0 and of argument 1.
template <class Op, class Of>
std::optional<std::pair<int32_t, int32_t>> pairOf(mlir::linalg::LinalgOp op, Of of) {
  std::optional<int32_t> a, b;
  const bool isPair = isEitherWay<Op>(
      yieldedBy(op), [&](Value value) { return (a = of(op, value, 0)).has_value(); },
      [&](Value value) { return (b = of(op, value, 1)).has_value(); });
  return isPair ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

} // namespace

bool multipliesAndAdds(mlir::linalg::LinalgOp op) {
  return isEitherWay<arith::AddIOp>(
      yieldedBy(op), [&](Value value) { return isArgument(op, value, 2); },
      [&](Value value) {
        return isEitherWay<arith::MulIOp>(
            value, [&](Value x) { return isWide(op, x, 0); }, [&](Value w) { return isWide(op, w, 1); });
      });
}

bool addsFirst(mlir::linalg::LinalgOp op) {
  const unsigned out = op.getBlock()->getNumArguments() - 1;
  return isEitherWay<arith::AddIOp>(
      yieldedBy(op), [&](Value value) { return isArgument(op, value, out); },
      [&](Value value) { return isWide(op, value, 0); });
}

bool takesMaximum(mlir::linalg::LinalgOp op) {
  const unsigned out = op.getBlock()->getNumArguments() - 1;
  return isEitherWay<arith::MaxSIOp>(
      yieldedBy(op), [&](Value value) { return isArgument(op, value, out); },
      [&](Value value) {
        return isWide(op, value, 0) || (isArgument(op, value, 0) && value.getType().isSignlessInteger(8));
      });
}

bool yieldsFirst(mlir::linalg::LinalgOp op) {
  return isArgument(op, yieldedBy(op), 0);
}

std::optional<std::pair<int32_t, int32_t>> factorsOfSum(mlir::linalg::LinalgOp op) {
  return pairOf<arith::AddIOp>(op, factorOf);
}

std::optional<std::pair<int32_t, int32_t>> zerosOfProduct(mlir::linalg::LinalgOp op) {
  return pairOf<arith::MulIOp>(op, zeroOf);
}

Value tableLookedUp(mlir::linalg::LinalgOp op) {
  auto element = yieldedBy(op).getDefiningOp<mlir::tensor::ExtractOp>();
  if (!element || element.getIndices().size() != 1)
    return {};
  auto index = element.getIndices()[0].getDefiningOp<arith::IndexCastOp>();
  const bool isPlace = index && isEitherWay<arith::AddIOp>(
                                    index.getIn(), [&](Value value) { return isExtended(op, value, 0); },
                                    [&](Value value) { return constantOf(value) == 128; });
  return isPlace ? element.getTensor() : Value();
}

} // namespace daedalus::accelerator
