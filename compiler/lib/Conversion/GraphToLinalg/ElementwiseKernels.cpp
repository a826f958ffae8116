// Kernels of quantized tensors whose output's element depends on one element of each operand.

#include "Kernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {

/// The operand without the dimensions that it repeats along in `shape`.
static kernels::Read withoutBroadcast(KernelBuilder &kernel, Value operand, ArrayRef<int64_t> shape) {
  SmallVector<unsigned> loops;
  SmallVector<int64_t> kept;
  for (auto [i, size] : llvm::enumerate(shapeOf(operand))) {
    if (size != shape[i])
      continue;
    loops.push_back(i);
    kept.push_back(size);
  }
  return {kernel.reshape(operand, kept), kernel.loops(shape.size(), loops)};
}

/// An int32 for each element of `shape`, of the elements of the operands that broadcast to it.
static Value combined(KernelBuilder &kernel, ValueRange operands, ArrayRef<int64_t> shape,
                      kernels::Body::Combine combine) {
  SmallVector<kernels::Read> reads;
  for (Value operand : operands)
    reads.push_back(withoutBroadcast(kernel, operand, shape));
  return kernel.elementwise(shape, kernel.b.getI32Type(), reads, combine);
}

static Value extended(KernelBuilder &kernel, Value x) {
  return kernel.b.create<arith::ExtSIOp>(kernel.loc, kernel.b.getI32Type(), x);
}

Value buildAdd(KernelBuilder &kernel, Operation *op, ValueRange operands, const GroupOutput &out) {
  UniformType a = uniformType(op->getOperand(0)), b = uniformType(op->getOperand(1));
  auto recipe = addRecipe(a.getScale(), a.getZeroPoint(), b.getScale(), b.getZeroPoint(), out.type.getScale(),
                          isa<qnn::SubOp>(op));
  if (!recipe)
    return tooLarge(kernel.loc);
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  Type i32 = kernel.b.getI32Type();
  Value ma = kernel.number(recipe->ma, i32), mb = kernel.number(recipe->mb, i32);
  Value sum = combined(kernel, operands, shape, [&](ValueRange x) {
    Value left = kernel.mul(extended(kernel, x[0]), ma);
    return kernel.add(left, kernel.mul(extended(kernel, x[1]), mb));
  });
  Requant requant = uniformRequant(shape.back(), recipe->bias, recipe->multiplier, out.type.getZeroPoint());
  return kernel.requantized(sum, withRange(requant, out));
}

/// (a - za) (b - zb), which is below 2^16 in size.
Value buildMul(KernelBuilder &kernel, Operation *op, ValueRange operands, const GroupOutput &out) {
  UniformType a = uniformType(op->getOperand(0)), b = uniformType(op->getOperand(1));
  auto multiplier = toMultiplier(a.getScale() * b.getScale() / out.type.getScale());
  if (!multiplier)
    return tooLarge(kernel.loc);
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  Type i32 = kernel.b.getI32Type();
  Value za = kernel.number(double(a.getZeroPoint()), i32), zb = kernel.number(double(b.getZeroPoint()), i32);
  Value product = combined(kernel, operands, shape, [&](ValueRange x) {
    Value left = kernel.sub(extended(kernel, x[0]), za);
    return kernel.mul(left, kernel.sub(extended(kernel, x[1]), zb));
  });
  return kernel.requantized(
      product, withRange(uniformRequant(shape.back(), 0, *multiplier, out.type.getZeroPoint()), out));
}

Value buildRescale(KernelBuilder &kernel, UniformType from, const GroupOutput &out) {
  return rescaled(kernel, kernel.argument(0), from, out);
}

Value buildTable(KernelBuilder &kernel, tosa::TableOp op, const GroupOutput &out) {
  auto constant = op->getOperand(1).getDefiningOp<tosa::ConstOp>();
  SmallVector<int8_t> entries(cast<DenseElementsAttr>(constant.getValue()).getValues<int8_t>());
  for (int8_t &entry : entries)
    entry = static_cast<int8_t>(std::clamp<int64_t>(entry, out.lo, out.hi));
  Value table = kernel.constant<int8_t>(qnn::tableEntries, entries);
  return kernel.elementwise(kernel.argument(0), [&](Value x) -> Value {
    return kernel.b.create<qnn::LookupOp>(kernel.loc, kernel.b.getI8Type(), x, table);
  });
}

Value buildQuantize(KernelBuilder &kernel, const GroupOutput &out) {
  OpBuilder &b = kernel.b;
  const Location loc = kernel.loc;
  const double zeroPoint = double(out.type.getZeroPoint());
  Value x = kernel.argument(0);
  return kernel.elementwise(shapeOf(x), b.getI8Type(), kernel.broadcast(x, shapeOf(x)),
                            [&](ValueRange elements) -> Value {
                              Value q = kernel.div(elements[0], kernel.f32(out.type.getScale()));
                              q = b.create<math::RoundEvenOp>(loc, q);
                              // A NaN becomes the least value.
                              q = b.create<arith::MaxNumFOp>(loc, q, kernel.f32(double(out.lo) - zeroPoint));
                              q = b.create<arith::MinNumFOp>(loc, q, kernel.f32(double(out.hi) - zeroPoint));
                              q = b.create<arith::FPToSIOp>(loc, b.getI32Type(), q);
                              q = kernel.add(q, kernel.number(zeroPoint, b.getI32Type()));
                              return b.create<arith::TruncIOp>(loc, b.getI8Type(), q);
                            });
}

Value buildDequantize(KernelBuilder &kernel, UniformType from) {
  OpBuilder &b = kernel.b;
  Value x = kernel.argument(0);
  return kernel.elementwise(
      shapeOf(x), b.getF32Type(), kernel.broadcast(x, shapeOf(x)), [&](ValueRange elements) {
        Value wide = extended(kernel, elements[0]);
        Value offset = kernel.number(double(from.getZeroPoint()), b.getI32Type());
        Value real = b.create<arith::SIToFPOp>(kernel.loc, b.getF32Type(), kernel.sub(wide, offset));
        return kernel.mul(real, kernel.f32(from.getScale()));
      });
}

} // namespace daedalus
