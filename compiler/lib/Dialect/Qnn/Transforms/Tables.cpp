// See Tables.h.

#include "Tables.h"

#include "Functions.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <algorithm>

namespace daedalus::qnn {
namespace {

using namespace mlir;

bool isScalar(Value value) {
  return isRealConstant(value) && tensorType(value).getNumElements() == 1;
}

/// The operand that an operation is an elementwise function of, all others being constants of one number;
/// null where it is none.
Value argumentOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = call.getNumOperands() == 1 && call.getNumResults() == 1 ? calleeOf(call) : nullptr;
    return callee && isFunctionOfOne(callee) ? call.getOperand(0) : Value();
  }
  if (!isa<AddOp, SubOp, MulOp>(op))
    return nullptr;
  for (auto [x, other] : {std::pair(0, 1), std::pair(1, 0)})
    if (isScalar(op->getOperand(other)) && op->getOperand(x).getType() == op->getResult(0).getType())
      return op->getOperand(x);
  return nullptr;
}

void combine(Operation *op, Value x, std::vector<double> &values) {
  const bool isFirst = op->getOperand(0) == x;
  const double number = (*realNumbers(op->getOperand(isFirst ? 1 : 0)))[0];
  for (double &value : values)
    if (isa<AddOp>(op))
      value += number;
    else if (isa<MulOp>(op))
      value *= number;
    else
      value = isFirst ? value - number : number - value;
}

} // namespace

bool Table::isOf(Value real) {
  bool hasFunction = false;
  for (Value at = real;;) {
    if (Value quantized = dequantizedActivation(at))
      return hasFunction && !shapeOf(quantized).empty();
    Operation *op = at.getDefiningOp();
    auto clamp = dyn_cast_or_null<tosa::ClampOp>(op);
    at = clamp ? clamp.getInput() : op ? argumentOf(op) : Value();
    hasFunction |= !clamp;
    if (!at)
      return false;
  }
}

Table Table::of(Value real) {
  if (Value quantized = dequantizedActivation(real)) {
    Table table;
    table.argument = real;
    const auto type = cast<UniformType>(tensorType(quantized).getElementType());
    for (int64_t q = type.getStorageTypeMin(); q <= type.getStorageTypeMax(); ++q)
      table.values.push_back(static_cast<float>(type.getScale()) *
                             static_cast<double>(q - type.getZeroPoint()));
    return table;
  }
  Operation *op = real.getDefiningOp();
  auto clamp = dyn_cast<tosa::ClampOp>(op);
  Value x = clamp ? clamp.getInput() : argumentOf(op);
  Table table = of(x);
  table.nodes.push_back(op->getLoc());
  if (auto call = dyn_cast<func::CallOp>(op))
    table.values = evaluate(calleeOf(call), std::move(table.values));
  else if (!clamp)
    combine(op, x, table.values);
  for (double &value : table.values)
    if (clamp)
      value = std::min<double>(std::max<double>(value, clamp.getMinFp().convertToFloat()),
                               clamp.getMaxFp().convertToFloat());
  return table;
}

} // namespace daedalus::qnn
