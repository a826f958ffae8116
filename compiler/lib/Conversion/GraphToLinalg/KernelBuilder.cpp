// See KernelBuilder.h.

#include "KernelBuilder.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

KernelBuilder::KernelBuilder(ModuleOp module, Location loc, StringRef symbol, TypeRange inputs, Type result)
    : builder(OpBuilder::atBlockEnd(module.getBody())), loc(withoutQuantization(loc)) {
  function = builder.create<func::FuncOp>(loc, symbol, builder.getFunctionType(inputs, result));
  function.setPrivate();
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

Value KernelBuilder::empty(ArrayRef<int64_t> shape, Type element) {
  return builder.create<tensor::EmptyOp>(loc, shape, element);
}

Value KernelBuilder::scalar(Type element, int64_t value) {
  return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(element, value));
}

Value KernelBuilder::filled(ArrayRef<int64_t> shape, Type element, int64_t value) {
  return builder.create<linalg::FillOp>(loc, scalar(element, value), empty(shape, element)).getResult(0);
}

Value KernelBuilder::constant(ArrayRef<int64_t> shape, ArrayRef<int8_t> data) {
  auto type = RankedTensorType::get(shape, builder.getI8Type());
  return builder.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, data));
}

Value KernelBuilder::constant(ArrayRef<int32_t> data) {
  auto type = RankedTensorType::get({static_cast<int64_t>(data.size())}, builder.getI32Type());
  return builder.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, data));
}

Value KernelBuilder::padded(Value x, ArrayRef<int64_t> pads, int64_t value) {
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return x;
  SmallVector<OpFoldResult> low, high;
  for (int64_t pad : {int64_t(0), pads[0], pads[2], int64_t(0)})
    low.push_back(builder.getIndexAttr(pad));
  for (int64_t pad : {int64_t(0), pads[1], pads[3], int64_t(0)})
    high.push_back(builder.getIndexAttr(pad));
  ArrayRef<int64_t> shape = shapeOf(x);
  auto type = cast<RankedTensorType>(x.getType())
                  .clone({shape[0], shape[1] + pads[0] + pads[1], shape[2] + pads[2] + pads[3], shape[3]});
  Value fill = scalar(type.getElementType(), value);
  return builder.create<tensor::PadOp>(loc, type, x, low, high, fill);
}

Value KernelBuilder::elementwise(ValueRange inputs, ArrayRef<AffineMap> maps, Value output,
                                 function_ref<Value(OpBuilder &, ValueRange)> body) {
  unsigned rank = shapeOf(output).size();
  SmallVector<AffineMap> all(maps.begin(), maps.end());
  all.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto generic =
      builder.create<linalg::GenericOp>(loc, TypeRange{output.getType()}, inputs, ValueRange{output}, all,
                                        iterators, [&](OpBuilder &nested, Location at, ValueRange arguments) {
                                          nested.create<linalg::YieldOp>(at, body(nested, arguments));
                                        });
  return generic.getResult(0);
}

Value KernelBuilder::requantized(Value acc, const Requant &requant) {
  const unsigned rank = shapeOf(acc).size();
  AffineMap channel = AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1));
  SmallVector<Value> parameters = {constant(requant.bias), constant(requant.multipliers),
                                   constant({static_cast<int64_t>(requant.shifts.size())}, requant.shifts)};
  return requantizedBy(channel, parameters, acc, requant);
}

Value KernelBuilder::requantizedByPosition(Value acc, const Requant &requant) {
  const int64_t height = shapeOf(acc)[1], width = shapeOf(acc)[2];
  AffineMap position =
      AffineMap::get(4, 0, {builder.getAffineDimExpr(1), builder.getAffineDimExpr(2)}, builder.getContext());
  auto wide = [&](ArrayRef<int32_t> values) -> Value {
    auto type = RankedTensorType::get({height, width}, builder.getI32Type());
    return builder.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, values));
  };
  SmallVector<Value> parameters = {wide(requant.bias), wide(requant.multipliers),
                                   constant({height, width}, requant.shifts)};
  return requantizedBy(position, parameters, acc, requant);
}

Value KernelBuilder::requantizedBy(AffineMap entry, ValueRange parameters, Value acc,
                                   const Requant &requant) {
  AffineMap identity = builder.getMultiDimIdentityMap(shapeOf(acc).size());
  SmallVector<Value> operands = {acc};
  operands.append(parameters.begin(), parameters.end());
  Value output = empty(shapeOf(acc), builder.getI8Type());
  return elementwise(operands, {identity, entry, entry, entry}, output,
                     [&](OpBuilder &nested, ValueRange arguments) -> Value {
                       Value a = arguments[0];
                       if (a.getType() != nested.getI32Type())
                         a = nested.create<arith::ExtSIOp>(loc, nested.getI32Type(), a);
                       auto i8 = [&](int64_t value) { return nested.getI8IntegerAttr(value); };
                       auto rounding = qnn::RoundingAttr::get(nested.getContext(), qnn::Rounding::HalfEven);
                       return nested.create<qnn::RequantizeOp>(
                           loc, nested.getI8Type(), a, arguments[1], arguments[2], arguments[3],
                           i8(requant.zeroPoint), i8(requant.lo), i8(requant.hi), rounding);
                     });
}

func::FuncOp KernelBuilder::finish(Value result) {
  builder.create<func::ReturnOp>(loc, result);
  return function;
}

} // namespace daedalus
