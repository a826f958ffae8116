// Functions that only move elements, for elements of another type. Values that hold elements of the first
// argument are followed through the operations that move them; any other operation on them ends the attempt.

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;

class Retyper {
public:
  Retyper(func::FuncOp function, Type element, llvm::function_ref<std::optional<int64_t>(double)> convert)
      : function(function), element(element), convert(convert) {}

  bool run() {
    follow(function.getArgument(0));
    const WalkResult walk = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      return !llvm::any_of(op->getOperands(), [&](Value value) { return moved.contains(value); }) || move(op)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    Value result = function.getBody().front().getTerminator()->getOperand(0);
    if (walk.wasInterrupted() || !moved.contains(result))
      return false;
    for (Value value : moved)
      value.setType(withElement(value.getType()));
    function.setFunctionType(FunctionType::get(function.getContext(), function.getBody().getArgumentTypes(),
                                               TypeRange{result.getType()}));
    return true;
  }

private:
  Type withElement(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? Type(tensor.clone(element)) : element;
  }

  void follow(Value value) { moved.insert(value); }

  /// The operation moves elements, and what it puts beside them can be made elements of the type.
  bool move(Operation *op) {
    if (auto yield = dyn_cast<linalg::YieldOp>(op))
      return moveYield(yield);
    if (isa<func::ReturnOp>(op))
      return true;
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (OpOperand *input : generic.getDpsInputOperands())
        if (moved.contains(input->get()))
          follow(generic.getMatchingBlockArgument(input));
      return true;
    }
    if (!isa<tensor::ExtractOp, tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::PadOp, arith::SelectOp, linalg::TransposeOp, linalg::CopyOp,
             linalg::BroadcastOp>(op) ||
        op->getNumResults() != 1)
      return false;
    for (OpOperand &operand : op->getOpOperands())
      if (getElementTypeOrSelf(operand.get().getType()).isF32() && !take(operand))
        return false;
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (!take(pad.getBody()->getTerminator()->getOpOperand(0)))
        return false;
    for (Region &region : op->getRegions()) // of named operations
      for (BlockArgument argument : region.getArguments())
        if (argument.getType().isF32())
          follow(argument);
    follow(op->getResult(0));
    return true;
  }

  bool moveYield(linalg::YieldOp yield) {
    auto linalg = cast<linalg::LinalgOp>(yield->getParentOp());
    for (OpOperand &operand : yield->getOpOperands()) {
      OpOperand *init = linalg.getDpsInitOperand(operand.getOperandNumber());
      if (!take(operand) || !take(*init))
        return false;
      follow(linalg.getMatchingBlockArgument(init));
      follow(linalg.getTiedOpResult(init));
    }
    return true;
  }

  /// Elements, a tensor without values, or constants, which are converted.
  bool take(OpOperand &operand) {
    Value value = operand.get();
    if (moved.contains(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<tensor::EmptyOp>(op)) {
      OpBuilder builder(op);
      Value own = builder.clone(*op)->getResult(0); // others may fill it with what they compute
      operand.set(own);
      follow(own);
      return true;
    }
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      if (!take(fill->getOpOperand(0)) || !take(fill->getOpOperand(1)))
        return false;
      for (BlockArgument argument : fill.getRegion().getArguments())
        follow(argument);
      follow(value);
      return true;
    }
    auto constant = dyn_cast<arith::ConstantOp>(op);
    TypedAttr converted = constant ? convertedOf(constant.getValue()) : nullptr;
    if (converted)
      operand.set(OpBuilder(op).create<arith::ConstantOp>(op->getLoc(), converted));
    return bool(converted);
  }

  TypedAttr convertedOf(TypedAttr constant) const {
    if (auto number = dyn_cast<FloatAttr>(constant)) {
      const std::optional<int64_t> value = convert(number.getValueAsDouble());
      return value ? IntegerAttr::get(element, *value) : nullptr;
    }
    auto elements = dyn_cast<DenseFPElementsAttr>(constant);
    if (!elements)
      return nullptr;
    bool hasAll = true;
    const DenseElementsAttr converted = elements.mapValues(element, [&](const APFloat &number) {
      const std::optional<int64_t> value = convert(number.convertToFloat());
      hasAll &= value.has_value();
      return APInt(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(value.value_or(0)), true);
    });
    return hasAll ? TypedAttr(converted) : nullptr;
  }

  func::FuncOp function;
  Type element;
  llvm::function_ref<std::optional<int64_t>(double)> convert;
  llvm::DenseSet<Value> moved;
};

} // namespace

func::FuncOp retyped(func::FuncOp function, Type element,
                     llvm::function_ref<std::optional<int64_t>(double)> convert) {
  if (function.getNumArguments() == 0 || function.getNumResults() != 1)
    return nullptr;
  const Type from = getElementTypeOrSelf(function.getArgumentTypes()[0]);
  if (!from.isF32() || getElementTypeOrSelf(function.getResultTypes()[0]) != from)
    return nullptr;
  auto copy = cast<func::FuncOp>(function->clone());
  if (Retyper(copy, element, convert).run())
    return copy;
  copy->erase();
  return nullptr;
}

} // namespace daedalus::qnn
