// See Scalars.h.

#include "daedalus/Kernels/Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;

namespace daedalus::kernels {

Value Scalars::index(int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

TypedAttr Scalars::numberOf(double value, Type type) {
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, value);
  constexpr double beyond = 9223372036854775808.0; // the largest int64, or uint64, is no double
  const int64_t whole = value >= 2 * beyond ? -1
                        : value >= beyond   ? std::numeric_limits<int64_t>::max()
                                            : static_cast<int64_t>(value);
  return b.getIntegerAttr(type, whole);
}

Value Scalars::number(double value, Type type) {
  return b.create<arith::ConstantOp>(loc, numberOf(value, type));
}

std::optional<int64_t> Scalars::constantOf(Value index) {
  return getConstantIntValue(index);
}

std::optional<SmallVector<int64_t, 4>> Scalars::constantsOf(ValueRange indices) {
  SmallVector<int64_t, 4> result;
  for (Value index : indices) {
    const std::optional<int64_t> value = constantOf(index);
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

/// The constant that an index or a truth of constants is, or the value as it is.
Value Scalars::known(Value value) {
  Operation *op = value.getDefiningOp();
  const auto isConstant = [](Value operand) { return matchPattern(operand, m_Constant()); };
  SmallVector<Value> folded;
  if (!(value.getType().isIndex() || value.getType().isInteger(1)) ||
      !llvm::all_of(op->getOperands(), isConstant) || failed(b.tryFold(op, folded)) || folded.empty())
    return value;
  op->erase();
  return folded[0];
}

Value Scalars::boolean(bool value) {
  return b.create<arith::ConstantOp>(loc, b.getBoolAttr(value));
}

Value Scalars::toIndex(Value value) {
  return b.create<arith::IndexCastOp>(loc, b.getIndexType(), value);
}

Value Scalars::fromIndex(Value value, Type type) {
  return b.create<arith::IndexCastOp>(loc, type, value);
}

Value Scalars::truth(Value stored) {
  return compare(Compare::NotEqual, stored, number(0, stored.getType()));
}

Value Scalars::stored(Value truth) {
  return b.create<arith::ExtUIOp>(loc, b.getI8Type(), truth);
}

Value Scalars::add(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::AddFOp>(loc, x, y);
  return known(b.create<arith::AddIOp>(loc, x, y));
}

Value Scalars::sub(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::SubFOp>(loc, x, y);
  return known(b.create<arith::SubIOp>(loc, x, y));
}

Value Scalars::mul(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MulFOp>(loc, x, y);
  return known(b.create<arith::MulIOp>(loc, x, y));
}

Value Scalars::div(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::DivFOp>(loc, x, y);
  // A division that traps would end the host's process: x / 0 is 0, and the least value over -1 wraps.
  Value zero = number(0, x.getType()), isZero = compare(Compare::Equal, y, zero);
  Value safe = select(isZero, number(1, x.getType()), y);
  if (isUnsigned)
    return select(isZero, zero, known(b.create<arith::DivUIOp>(loc, x, safe)));
  Value isMinusOne = compare(Compare::Equal, safe, number(-1, x.getType()));
  safe = select(isMinusOne, number(1, x.getType()), safe);
  Value quotient = known(b.create<arith::DivSIOp>(loc, x, safe));
  quotient = select(isMinusOne, sub(zero, quotient), quotient);
  return select(isZero, zero, quotient);
}

Value Scalars::min(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MinimumFOp>(loc, x, y);
  if (isUnsigned)
    return b.create<arith::MinUIOp>(loc, x, y);
  return known(b.create<arith::MinSIOp>(loc, x, y));
}

Value Scalars::max(Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MaximumFOp>(loc, x, y);
  if (isUnsigned)
    return b.create<arith::MaxUIOp>(loc, x, y);
  return known(b.create<arith::MaxSIOp>(loc, x, y));
}

Value Scalars::clamp(Value x, Value lo, Value hi, bool isUnsigned) {
  return min(max(x, lo, isUnsigned), hi, isUnsigned);
}

Value Scalars::compare(Compare how, Value x, Value y, bool isUnsigned) {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  static constexpr I ofSigned[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I ofUnsigned[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  static constexpr F ofFloat[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  const auto at = static_cast<size_t>(how);
  if (isa<FloatType>(x.getType()))
    return b.create<arith::CmpFOp>(loc, ofFloat[at], x, y);
  return known(b.create<arith::CmpIOp>(loc, isUnsigned ? ofUnsigned[at] : ofSigned[at], x, y));
}

Value Scalars::equal(Value x, Value y) {
  return compare(Compare::Equal, x, y);
}

Value Scalars::both(Value x, Value y) {
  return known(b.create<arith::AndIOp>(loc, x, y));
}

Value Scalars::either(Value x, Value y) {
  return known(b.create<arith::OrIOp>(loc, x, y));
}

Value Scalars::negate(Value x) {
  return known(b.create<arith::XOrIOp>(loc, x, boolean(true)));
}

Value Scalars::select(Value condition, Value x, Value y) {
  return known(b.create<arith::SelectOp>(loc, condition, x, y));
}

Value Scalars::absolute(Value x) {
  Value zero = number(0, x.getType());
  return select(compare(Compare::Less, x, zero), sub(zero, x), x);
}

Value Scalars::exp(Value x) {
  return b.create<math::ExpOp>(loc, x);
}

Value Scalars::log(Value x) {
  return b.create<math::LogOp>(loc, x);
}

} // namespace daedalus::kernels
