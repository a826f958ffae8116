// See Groups.h.

#include "Groups.h"

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Quant/QuantOps.h"

using namespace mlir;

namespace daedalus {

namespace {

bool isBinary(Operation *op) {
  return isa<qnn::AddOp, qnn::SubOp, qnn::MulOp>(op);
}

/// Whether either operand may be computed or constant.
bool isOfTwo(Operation *op) {
  return isBinary(op) || isa<qnn::BatchMatmulOp>(op);
}

/// Of sums there is no bias.
template <class Op> bool hasConstants(Op product) {
  Value weights = product.getWeights(), bias = product.getBias();
  if (!weights.template getDefiningOp<tosa::ConstOp>())
    return false;
  return bias ? bias.getDefiningOp<tosa::ConstOp>() &&
                    cast<RankedTensorType>(bias.getType()).getNumElements() == shapeOf(weights)[0]
              : elementOf(product.getOutput()).isInteger(32);
}

bool isUnsigned(Value value) {
  auto type = dyn_cast<quant::QuantizedType>(elementOf(value));
  return type && !type.isSigned();
}

bool isByte(Value value) {
  return qnn::isByte(elementOf(value));
}

} // namespace

bool isConstant(Value value) {
  return value.getDefiningOp<tosa::ConstOp>() || qnn::isRealConstant(value);
}

DenseElementsAttr elementsOf(Value value) {
  if (value.getDefiningOp<tosa::ConstOp>())
    return qnn::constantOf(value);
  const std::optional<std::vector<float>> numbers = qnn::realNumbers(value);
  if (!numbers)
    return nullptr;
  return DenseElementsAttr::get(cast<RankedTensorType>(value.getType()), ArrayRef<float>(*numbers));
}

bool isFloat(Operation *op) {
  return elementOf(op->getResult(0)).isF32() && !isa<quant::DequantizeCastOp>(op);
}

bool isMove(Operation *op) {
  return isa<tosa::TransposeOp, tosa::SliceOp>(op);
}

bool isInside(OpOperand &operand) {
  Operation *op = operand.getOwner();
  const bool isOfOne = isMove(op) || (!isFloat(op) && !isOfTwo(op) && !isa<qnn::ConcatOp>(op));
  return (operand.getOperandNumber() != 0 || !isOfOne) && isConstant(operand.get());
}

/// Operations on real numbers whose elements are computed one by one: what follows a product is computed with
/// it.
static bool isElementwise(Operation *op) {
  return (isBinary(op) || isa<tosa::ClampOp>(op)) && isFloat(op);
}

/// An operation of real numbers with those that follow it, one the sole user of the other, whose other
/// operands are there.
static SmallVector<Operation *> floatGroupOf(Operation *op, llvm::function_ref<bool(Value)> isThere) {
  SmallVector<Operation *> group{op};
  if (!isElementwise(op) && !isa<qnn::ConvOp, qnn::MatmulOp>(op))
    return group;
  while (group.back()->hasOneUse()) {
    const Value result = group.back()->getResult(0);
    Operation *next = *result.user_begin();
    const auto isReady = [&](Value operand) {
      return operand == result || isConstant(operand) || isThere(operand);
    };
    if (!isElementwise(next) || next->getResult(0).getType() != result.getType() ||
        !llvm::all_of(next->getOperands(), isReady))
      break;
    group.push_back(next);
  }
  return group;
}

SmallVector<Operation *> groupOf(Operation *op, llvm::function_ref<bool(Value)> isThere) {
  if (isFloat(op))
    return floatGroupOf(op, isThere);
  SmallVector<Operation *> group{op};
  const bool isQuantized = isa<UniformType>(elementOf(op->getResult(0)));
  if (!isQuantized || (isMove(op) || isa<qnn::ConcatOp, qnn::UpsampleOp>(op)))
    return group;
  auto soleUser = [&]() -> Operation * {
    Operation *last = group.back();
    return last->hasOneUse() ? *last->getResult(0).user_begin() : nullptr;
  };
  if (isa<qnn::MaxPoolOp>(op))
    if (auto cast = dyn_cast_or_null<tosa::CastOp>(soleUser()))
      group.push_back(cast);
  if (!isa<tosa::ClampOp>(op))
    if (auto clamp = dyn_cast_or_null<tosa::ClampOp>(soleUser()))
      group.push_back(clamp);
  return group;
}

GroupOutput outputOf(Operation *last) {
  GroupOutput out;
  out.type = dyn_cast<UniformType>(elementOf(last->getResult(0)));
  if (auto clamp = dyn_cast<tosa::ClampOp>(last); clamp && out.type) {
    out.lo = static_cast<int64_t>(clamp.getMinInt());
    out.hi = static_cast<int64_t>(clamp.getMaxInt());
  }
  return out;
}

Location locationOf(ArrayRef<Operation *> group) {
  SmallVector<Location> parts;
  for (Operation *op : group)
    parts.push_back(op->getLoc());
  return FusedLoc::get(group[0]->getContext(), parts);
}

LogicalResult checkForm(Operation *op) {
  const auto expect = [&](bool holds, const char *what) {
    return holds ? success()
                 : LogicalResult(op->emitError("'") << op->getName() << "' has no kernel: expected " << what);
  };
  SmallVector<Value> values(op->getOperands());
  values.append(op->result_begin(), op->result_end());
  if (llvm::any_of(values, isUnsigned))
    return expect(false, "signed storage, as qnn-signed-storage makes it");
  if (isFloat(op) && !isMove(op))
    return expect(
        llvm::all_of(op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type).isF32(); }),
        "operands of f32");
  if (auto conv = dyn_cast<qnn::ConvOp>(op))
    return expect(
        conv.getChannelsLast() && hasConstants(conv),
        "channels last, as qnn-channels-last makes them, constant weights and a constant bias a channel");
  if (auto matmul = dyn_cast<qnn::MatmulOp>(op))
    return expect(matmul.getTransposed() && shapeOf(matmul.getInput()).size() == 2 && hasConstants(matmul),
                  "an input of two dimensions, transposed constant weights and a constant bias a column");
  if (auto pool = dyn_cast<qnn::MaxPoolOp>(op))
    return expect(pool.getChannelsLast(), "channels last, as qnn-channels-last makes them");
  if (auto pool = dyn_cast<qnn::AveragePoolOp>(op))
    return expect(pool.getChannelsLast(), "channels last, as qnn-channels-last makes them");
  if (isBinary(op))
    return expect(llvm::all_of(op->getOperands(),
                               [&](Value operand) {
                                 return shapeOf(operand).size() == shapeOf(op->getResult(0)).size();
                               }),
                  "operands of the result's rank, as qnn-channels-last makes them");
  if (isa<quant::QuantizeCastOp>(op))
    return expect(isByte(op->getResult(0)), "a type of 8 bits with one scale");
  if (isa<quant::DequantizeCastOp>(op))
    return expect(isByte(op->getOperand(0)), "a type of 8 bits with one scale");
  return success();
}

} // namespace daedalus
