// See Intervals.h.

#include "daedalus/Codegen/Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;

namespace daedalus::codegen {

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue())
                                                       : std::nullopt;
}

std::optional<Interval> intervalOf(Value value) {
  if (const std::optional<int64_t> constant = constantOf(value))
    return Interval{*constant, *constant};
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp>(op) && op->getOperand(0).getType().getIntOrFloatBitWidth() <= 16) {
    const int64_t end = int64_t(1) << (op->getOperand(0).getType().getIntOrFloatBitWidth() - 1);
    return Interval{-end, end - 1};
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  const auto a = intervalOf(op->getOperand(0)), b = intervalOf(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  Interval result{0, 0};
  if (isa<arith::AddIOp>(op)) {
    result = {a->least + b->least, a->most + b->most};
  } else if (isa<arith::SubIOp>(op)) {
    result = {a->least - b->most, a->most - b->least};
  } else {
    const auto [least, most] =
        std::minmax({a->least * b->least, a->least * b->most, a->most * b->least, a->most * b->most});
    result = {least, most};
  }
  return result.magnitude() <= std::numeric_limits<int32_t>::max() ? std::optional(result) : std::nullopt;
}

} // namespace daedalus::codegen
