// Which kernel an operation gets.

#include "Groups.h"

#include "mlir/Dialect/Quant/QuantOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus {

/// The kernel's values for the operands of an operation: arguments, and constants of its own.
static SmallVector<Value> operandsOf(KernelBuilder &kernel, Operation *op) {
  SmallVector<Value> operands;
  unsigned argument = 0;
  for (Value operand : op->getOperands())
    if (const DenseElementsAttr constant = elementsOf(operand))
      operands.push_back(kernel.constant(constant));
    else
      operands.push_back(kernel.argument(argument++));
  return operands;
}

/// Of elements of any type.
static Value buildMove(KernelBuilder &kernel, Operation *op) {
  if (auto slice = dyn_cast<tosa::SliceOp>(op))
    return buildSlice(kernel, slice);
  SmallVector<int64_t> permutation;
  (void)cast<tosa::TransposeOp>(op).getConstantPerms(permutation);
  return buildTranspose(kernel, permutation);
}

Value buildKernel(KernelBuilder &kernel, Operation *op, const GroupOutput &out) {
  if (isMove(op))
    return buildMove(kernel, op);
  if (isFloat(op))
    return buildFloat(kernel, op, operandsOf(kernel, op));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<qnn::ConvOp>([&](auto op) { return buildConv(kernel, op, out); })
      .Case<qnn::MatmulOp>([&](auto op) { return buildMatmul(kernel, op, out); })
      .Case<qnn::BatchMatmulOp>(
          [&](auto op) { return buildBatchMatmul(kernel, op, operandsOf(kernel, op), out); })
      .Case<qnn::MaxPoolOp>([&](auto op) { return buildMaxPool(kernel, op, out); })
      .Case<qnn::AveragePoolOp>([&](auto op) { return buildMean(kernel, op, out); })
      .Case<qnn::AddOp, qnn::SubOp>(
          [&](auto op) { return buildAdd(kernel, op, operandsOf(kernel, op), out); })
      .Case<qnn::MulOp>([&](auto op) { return buildMul(kernel, op, operandsOf(kernel, op), out); })
      .Case<qnn::UpsampleOp>([&](auto op) { return buildRepeat(kernel, op); })
      .Case<tosa::TableOp>([&](auto op) { return buildTable(kernel, op, out); })
      .Case<qnn::ConcatOp>([&](auto op) { return buildConcat(kernel, operandsOf(kernel, op), op.getAxis()); })
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
