// See KernelBuilder.h.

#include "KernelBuilder.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

using namespace mlir;

namespace daedalus {

KernelBuilder::KernelBuilder(ModuleOp module, Location loc, StringRef symbol, TypeRange inputs, Type result)
    : Body(OpBuilder::atBlockEnd(module.getBody()), withoutQuantization(loc)) {
  function = b.create<func::FuncOp>(loc, symbol, b.getFunctionType(inputs, result));
  function.setPrivate();
  b.setInsertionPointToEnd(function.addEntryBlock());
}

Value KernelBuilder::requantized(Value acc, const Requant &requant) {
  const unsigned rank = shapeOf(acc).size();
  return requantizedBy(shapeOf(acc).take_back(), loops(rank, rank - 1), acc, requant);
}

Value KernelBuilder::requantizedByPosition(Value acc, const Requant &requant) {
  return requantizedBy(shapeOf(acc).slice(1, 2), loops(4, {1, 2}), acc, requant);
}

/// By parameters of that shape, of which `entry` says the one for an element of `acc`.
Value KernelBuilder::requantizedBy(kernels::Sizes shape, AffineMap entry, Value acc, const Requant &requant) {
  Value bias = constant<int32_t>(shape, requant.bias),
        multiplier = constant<int32_t>(shape, requant.multipliers),
        shift = constant<int8_t>(shape, requant.shifts);
  const auto i8 = [&](int64_t value) { return b.getI8IntegerAttr(value); };
  return elementwise(shapeOf(acc), b.getI8Type(),
                     {broadcast(acc, shapeOf(acc)), {bias, entry}, {multiplier, entry}, {shift, entry}},
                     [&](ValueRange x) -> Value {
                       Value wide = x[0];
                       if (wide.getType() != b.getI32Type())
                         wide = b.create<arith::ExtSIOp>(loc, b.getI32Type(), wide);
                       auto rounding = qnn::RoundingAttr::get(b.getContext(), qnn::Rounding::HalfEven);
                       return b.create<qnn::RequantizeOp>(loc, b.getI8Type(), wide, x[1], x[2], x[3],
                                                          i8(requant.zeroPoint), i8(requant.lo),
                                                          i8(requant.hi), rounding);
                     });
}

func::FuncOp KernelBuilder::finish(Value result) {
  b.create<func::ReturnOp>(loc, result);
  return function;
}

} // namespace daedalus
