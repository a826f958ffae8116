// Which kernel an operation gets.

#include "Groups.h"

#include "mlir/Dialect/Quant/QuantOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus {

/// The kernel's values for the operands of an operation: arguments from `argument` on, constants of its own,
/// and `value` for what the operation `before` gives.
static SmallVector<Value> operandsOf(KernelBuilder &kernel, Operation *op, unsigned &argument,
                                     Operation *before = nullptr, Value value = nullptr) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (before && operand.getDefiningOp() == before)
      operands.push_back(value);
    else if (const DenseElementsAttr constant = elementsOf(operand))
      operands.push_back(kernel.constant(constant));
    else
      operands.push_back(kernel.argument(argument++));
  return operands;
}

/// Of real numbers.
static Value buildFloats(KernelBuilder &kernel, ArrayRef<Operation *> group) {
  unsigned argument = 0;
  Operation *before = nullptr;
  Value value;
  for (Operation *op : group) {
    value = buildFloat(kernel, op, operandsOf(kernel, op, argument, before, value));
    if (!value)
      return op->emitError() << "operation '" << op->getName().getStringRef() << "' has no kernel", nullptr;
    before = op;
  }
  return value;
}

/// Of elements of any type.
static Value buildMove(KernelBuilder &kernel, Operation *op) {
  if (auto slice = dyn_cast<tosa::SliceOp>(op))
    return buildSlice(kernel, slice);
  SmallVector<int64_t> permutation;
  (void)cast<tosa::TransposeOp>(op).getConstantPerms(permutation);
  return buildTranspose(kernel, permutation);
}

Value buildKernel(KernelBuilder &kernel, ArrayRef<Operation *> group, const GroupOutput &out) {
  Operation *const op = group.front();
  unsigned argument = 0;
  const auto operands = [&] { return operandsOf(kernel, op, argument); };
  if (isMove(op))
    return buildMove(kernel, op);
  if (isFloat(op))
    return buildFloats(kernel, group);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<qnn::ConvOp>([&](auto op) { return buildConv(kernel, op, out); })
      .Case<qnn::MatmulOp>([&](auto op) { return buildMatmul(kernel, op, out); })
      .Case<qnn::BatchMatmulOp>([&](auto op) { return buildBatchMatmul(kernel, op, operands(), out); })
      .Case<qnn::MaxPoolOp>([&](auto op) { return buildMaxPool(kernel, op, out); })
      .Case<qnn::AveragePoolOp>([&](auto op) { return buildMean(kernel, op, out); })
      .Case<qnn::AddOp, qnn::SubOp>([&](auto op) { return buildAdd(kernel, op, operands(), out); })
      .Case<qnn::MulOp>([&](auto op) { return buildMul(kernel, op, operands(), out); })
      .Case<qnn::UpsampleOp>([&](auto op) { return buildRepeat(kernel, op); })
      .Case<tosa::TableOp>([&](auto op) { return buildTable(kernel, op, out); })
      .Case<qnn::ConcatOp>([&](auto op) { return buildConcat(kernel, operands(), op.getAxis()); })
      .Case<tosa::CastOp, tosa::ClampOp>(
          [&](auto op) { return buildRescale(kernel, uniformType(op->getOperand(0)), out); })
      .Case<quant::QuantizeCastOp>([&](auto) { return buildQuantize(kernel, out); })
      .Case<quant::DequantizeCastOp>(
          [&](auto op) { return buildDequantize(kernel, uniformType(op.getArg())); })
      .Default([&](Operation *op) -> Value {
        op->emitError() << "operation '" << op->getName().getStringRef() << "' has no kernel";
        return nullptr;
      });
}

} // namespace daedalus
