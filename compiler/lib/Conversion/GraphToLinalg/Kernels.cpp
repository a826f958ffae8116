// The kernel forms.
//   conv     [tensor.pad] -> linalg.fill 0 -> linalg.conv_2d_nhwc_fhwc -> requant
//   matmul   linalg.fill 0 -> linalg.matmul_transpose_b -> requant
//   add      linalg.generic (a ma + b mb) -> requant
//   max pool [tensor.pad -128] -> linalg.fill -128 -> linalg.pooling_nhwc_max [-> requant]
//   mean     linalg.fill 0 -> linalg.generic summing over H and W -> requant
//   rescale  requant
// where requant is a linalg.generic with qnn.requantize and a bias, multiplier and shift for each channel.

#include "Kernels.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using UniformType = quant::UniformQuantizedType;

namespace daedalus {
namespace {

UniformType uniformType(Value value) {
  return cast<UniformType>(cast<RankedTensorType>(value.getType()).getElementType());
}

/// The scales of weights, one or one a channel.
SmallVector<double> scalesOf(Value weights) {
  Type type = cast<RankedTensorType>(weights.getType()).getElementType();
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
    return SmallVector<double>(perAxis.getScales());
  return {cast<UniformType>(type).getScale()};
}

template <class T> SmallVector<T> constantData(Value value) {
  auto attribute = cast<DenseElementsAttr>(value.getDefiningOp<tosa::ConstOp>().getValue());
  return SmallVector<T>(attribute.getValues<T>());
}

/// Weights of 8 or 16 bits.
SmallVector<int16_t> weightData(Value weights) {
  auto attribute = cast<DenseElementsAttr>(weights.getDefiningOp<tosa::ConstOp>().getValue());
  if (attribute.getElementType().isInteger(16))
    return constantData<int16_t>(weights);
  SmallVector<int8_t> bytes = constantData<int8_t>(weights);
  return {bytes.begin(), bytes.end()};
}

Value weightConstant(KernelBuilder &kernel, ArrayRef<int64_t> shape, Value weights) {
  auto attribute = cast<DenseElementsAttr>(weights.getDefiningOp<tosa::ConstOp>().getValue());
  return kernel.builder.create<arith::ConstantOp>(kernel.loc,
                                                  attribute.reshape(attribute.getType().clone(shape)));
}

/// The accumulator's requant of a product with constant weights and bias.
FailureOr<Requant> productRequant(Location loc, Value input, Value weights, Value bias,
                                  const GroupOutput &out) {
  SmallVector<double> scales = scalesOf(weights);
  for (double &scale : scales)
    scale = scale * uniformType(input).getScale() / out.type.getScale();
  Result<Requant> requant = daedalus::productRequant(weightData(weights), constantData<int32_t>(bias), scales,
                                                     uniformType(input).getZeroPoint());
  if (!requant)
    return emitError(loc) << requant.error();
  requant->zeroPoint = out.type.getZeroPoint();
  requant->lo = out.lo;
  requant->hi = out.hi;
  return std::move(*requant);
}

Requant withRange(Requant requant, const GroupOutput &out) {
  requant.lo = out.lo;
  requant.hi = out.hi;
  return requant;
}

Value tooLarge(Location loc) {
  emitError(loc) << "its input's scale is 2^30 or more of its output's; expected a smaller ratio";
  return nullptr;
}

DenseIntElementsAttr pairAttr(OpBuilder &builder, ArrayRef<int64_t> values) {
  return DenseIntElementsAttr::get(RankedTensorType::get({2}, builder.getI64Type()), values);
}

} // namespace

/// Channels as [groups, channels of a group], on both sides.
static Value groupedConv(KernelBuilder &kernel, qnn::ConvOp op, Value x, Value acc) {
  const int64_t groups = op.getGroups();
  OpBuilder &builder = kernel.builder;
  const SmallVector<ReassociationIndices> split = {{0}, {1}, {2}, {3, 4}};
  auto grouped = [&](Value value) {
    SmallVector<int64_t> shape(shapeOf(value));
    shape.back() /= groups;
    shape.insert(shape.end() - 1, groups);
    return cast<RankedTensorType>(value.getType()).clone(shape);
  };
  SmallVector<int64_t> weights(shapeOf(op.getWeights()));
  weights[0] /= groups;
  weights.insert(weights.begin(), groups);
  Value w = weightConstant(kernel, weights, op.getWeights());
  Value input = builder.create<tensor::ExpandShapeOp>(kernel.loc, grouped(x), x, split);
  Value output = kernel.filled(grouped(acc).getShape(), builder.getI32Type(), 0);
  AffineExpr n, y, c, g, f, i, j, k;
  bindDims(builder.getContext(), n, y, c, g, f, i, j, k);
  AffineExpr row = y * op.getStrides()[0] + i * op.getDilations()[0];
  AffineExpr column = c * op.getStrides()[1] + j * op.getDilations()[1];
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(8, 0, results, builder.getContext());
  };
  auto parallel = utils::IteratorType::parallel, reduction = utils::IteratorType::reduction;
  auto body = [](OpBuilder &nested, Location at, ValueRange arguments) {
    Value left = nested.create<arith::ExtSIOp>(at, nested.getI32Type(), arguments[0]);
    Value right = nested.create<arith::ExtSIOp>(at, nested.getI32Type(), arguments[1]);
    Value product = nested.create<arith::MulIOp>(at, left, right);
    nested.create<linalg::YieldOp>(at, nested.create<arith::AddIOp>(at, arguments[2], product).getResult());
  };
  output =
      builder
          .create<linalg::GenericOp>(
              kernel.loc, TypeRange{output.getType()}, ValueRange{input, w}, ValueRange{output},
              ArrayRef<AffineMap>{map({n, row, column, g, k}), map({g, f, i, j, k}), map({n, y, c, g, f})},
              ArrayRef<utils::IteratorType>{parallel, parallel, parallel, parallel, parallel, reduction,
                                            reduction, reduction},
              body)
          .getResult(0);
  return builder.create<tensor::CollapseShapeOp>(kernel.loc, cast<RankedTensorType>(acc.getType()), output,
                                                 split);
}

Value buildConv(KernelBuilder &kernel, qnn::ConvOp op, const GroupOutput &out) {
  auto requant = productRequant(kernel.loc, op.getInput(), op.getWeights(), op.getBias(), out);
  if (failed(requant))
    return nullptr;
  OpBuilder &builder = kernel.builder;
  Value x = kernel.padded(kernel.argument(0), op.getPad(), uniformType(op.getInput()).getZeroPoint());
  Value w = weightConstant(kernel, shapeOf(op.getWeights()), op.getWeights());
  Value acc = kernel.filled(shapeOf(op.getOutput()), builder.getI32Type(), 0);
  if (op.getGroups() != 1)
    acc = groupedConv(kernel, op, x, acc);
  else
    acc = builder
              .create<linalg::Conv2DNhwcFhwcOp>(kernel.loc, TypeRange{acc.getType()}, ValueRange{x, w},
                                                ValueRange{acc}, pairAttr(builder, op.getStrides()),
                                                pairAttr(builder, op.getDilations()))
              .getResult(0);
  return kernel.requantized(acc, *requant);
}

Value buildMatmul(KernelBuilder &kernel, qnn::MatmulOp op, const GroupOutput &out) {
  auto requant = productRequant(kernel.loc, op.getInput(), op.getWeights(), op.getBias(), out);
  if (failed(requant))
    return nullptr;
  OpBuilder &builder = kernel.builder;
  Value w = weightConstant(kernel, shapeOf(op.getWeights()), op.getWeights());
  Value acc = kernel.filled(shapeOf(op.getOutput()), builder.getI32Type(), 0);
  acc = builder
            .create<linalg::MatmulTransposeBOp>(kernel.loc, TypeRange{acc.getType()},
                                                ValueRange{kernel.argument(0), w}, ValueRange{acc})
            .getResult(0);
  return kernel.requantized(acc, *requant);
}

/// The operand without the dimensions that it repeats along in `shape`; its map is added to `maps`.
static Value withoutBroadcast(KernelBuilder &kernel, Value operand, ArrayRef<int64_t> shape,
                              SmallVectorImpl<AffineMap> &maps) {
  OpBuilder &builder = kernel.builder;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> kept;
  SmallVector<OpFoldResult> sizes;
  for (auto [i, size] : llvm::enumerate(shapeOf(operand))) {
    sizes.push_back(builder.getIndexAttr(size));
    if (size != shape[i])
      continue;
    exprs.push_back(builder.getAffineDimExpr(i));
    kept.push_back(size);
  }
  maps.push_back(AffineMap::get(shape.size(), 0, exprs, builder.getContext()));
  if (kept.size() == shape.size())
    return operand;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  auto type = cast<RankedTensorType>(operand.getType()).clone(kept);
  return builder.create<tensor::ExtractSliceOp>(kernel.loc, type, operand, offsets, sizes, strides);
}

/// An int32 for each element of `shape`, of the elements of the operands that broadcast to it.
static Value combined(KernelBuilder &kernel, ValueRange operands, ArrayRef<int64_t> shape,
                      function_ref<Value(OpBuilder &, ValueRange)> body) {
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (Value operand : operands)
    inputs.push_back(withoutBroadcast(kernel, operand, shape, maps));
  return kernel.elementwise(inputs, maps, kernel.empty(shape, kernel.builder.getI32Type()), body);
}

Value buildAdd(KernelBuilder &kernel, Operation *op, ValueRange operands, const GroupOutput &out) {
  UniformType a = uniformType(op->getOperand(0)), b = uniformType(op->getOperand(1));
  auto recipe = addRecipe(a.getScale(), a.getZeroPoint(), b.getScale(), b.getZeroPoint(), out.type.getScale(),
                          isa<qnn::SubOp>(op));
  if (!recipe)
    return tooLarge(kernel.loc);
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  Type i32 = kernel.builder.getI32Type();
  Value ma = kernel.scalar(i32, recipe->ma), mb = kernel.scalar(i32, recipe->mb);
  Value sum = combined(kernel, operands, shape, [&](OpBuilder &nested, ValueRange arguments) -> Value {
    auto scaled = [&](Value x, Value m) -> Value {
      Value wide = nested.create<arith::ExtSIOp>(kernel.loc, i32, x);
      return nested.create<arith::MulIOp>(kernel.loc, wide, m);
    };
    Value left = scaled(arguments[0], ma);
    return nested.create<arith::AddIOp>(kernel.loc, left, scaled(arguments[1], mb));
  });
  Requant requant = uniformRequant(shape.back(), recipe->bias, recipe->multiplier, out.type.getZeroPoint());
  return kernel.requantized(sum, withRange(requant, out));
}

/// To `out` from `from`; nothing to do where they are equal and nothing is clamped.
static Value rescaled(KernelBuilder &kernel, Value x, UniformType from, const GroupOutput &out) {
  if (from == out.type && out.lo == -128 && out.hi == 127)
    return x;
  auto multiplier = toMultiplier(from.getScale() / out.type.getScale());
  if (!multiplier)
    return tooLarge(kernel.loc);
  Requant requant = uniformRequant(shapeOf(x).back(), static_cast<int32_t>(-from.getZeroPoint()), *multiplier,
                                   out.type.getZeroPoint());
  return kernel.requantized(x, withRange(requant, out));
}

Value buildRescale(KernelBuilder &kernel, UniformType from, const GroupOutput &out) {
  return rescaled(kernel, kernel.argument(0), from, out);
}

Value buildMaxPool(KernelBuilder &kernel, qnn::MaxPoolOp op, const GroupOutput &out) {
  OpBuilder &builder = kernel.builder;
  Type i8 = builder.getI8Type();
  Value x = kernel.padded(kernel.argument(0), op.getPad(), -128);
  Value window = kernel.empty(op.getKernel(), i8);
  Value result = kernel.filled(shapeOf(op.getOutput()), i8, -128);
  result = builder
               .create<linalg::PoolingNhwcMaxOp>(
                   kernel.loc, TypeRange{result.getType()}, ValueRange{x, window}, ValueRange{result},
                   pairAttr(builder, op.getStrides()), pairAttr(builder, op.getDilations()))
               .getResult(0);
  return rescaled(kernel, result, uniformType(op.getInput()), out);
}

/// (a - za) (b - zb), which is below 2^16 in size.
Value buildMul(KernelBuilder &kernel, Operation *op, ValueRange operands, const GroupOutput &out) {
  UniformType a = uniformType(op->getOperand(0)), b = uniformType(op->getOperand(1));
  auto multiplier = toMultiplier(a.getScale() * b.getScale() / out.type.getScale());
  if (!multiplier)
    return tooLarge(kernel.loc);
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  Type i32 = kernel.builder.getI32Type();
  Value za = kernel.scalar(i32, a.getZeroPoint()), zb = kernel.scalar(i32, b.getZeroPoint());
  Value product = combined(kernel, operands, shape, [&](OpBuilder &nested, ValueRange arguments) -> Value {
    auto centred = [&](Value x, Value zero) -> Value {
      return nested.create<arith::SubIOp>(kernel.loc, nested.create<arith::ExtSIOp>(kernel.loc, i32, x),
                                          zero);
    };
    Value left = centred(arguments[0], za);
    return nested.create<arith::MulIOp>(kernel.loc, left, centred(arguments[1], zb));
  });
  return kernel.requantized(
      product, withRange(uniformRequant(shape.back(), 0, *multiplier, out.type.getZeroPoint()), out));
}

/// Elements that the window at each output position along one dimension averages.
static SmallVector<int64_t> countsAlong(int64_t size, int64_t outputs, int64_t kernel, int64_t stride,
                                        int64_t padBegin, std::optional<int64_t> countedEnd) {
  SmallVector<int64_t> counts;
  for (int64_t o = 0; o < outputs; ++o) {
    const int64_t start = o * stride - padBegin;
    const int64_t from = countedEnd ? start : std::max<int64_t>(start, 0);
    counts.push_back(std::min(start + kernel, size + countedEnd.value_or(0)) - from);
  }
  return counts;
}

std::array<SmallVector<int64_t>, 2> windowCounts(qnn::AveragePoolOp op) {
  const std::optional<ArrayRef<int64_t>> counted = op.getCountedEnd();
  const unsigned rows = op.getChannelsLast() ? 1 : 2;
  std::array<SmallVector<int64_t>, 2> counts;
  for (int d : {0, 1})
    counts[d] = countsAlong(shapeOf(op.getInput())[rows + d], shapeOf(op.getOutput())[rows + d],
                            op.getKernel()[d], op.getStrides()[d], op.getPad()[2 * d],
                            counted ? std::optional((*counted)[d]) : std::nullopt);
  return counts;
}

/// Sum over the window; the padding is the input's zero point, which stands for zero.
static Value windowSum(KernelBuilder &kernel, qnn::AveragePoolOp op, UniformType in) {
  OpBuilder &builder = kernel.builder;
  Value x = kernel.padded(kernel.argument(0), op.getPad(), in.getZeroPoint());
  Value window = kernel.empty(op.getKernel(), builder.getI8Type());
  Value acc = kernel.filled(shapeOf(op.getOutput()), builder.getI32Type(), 0);
  return builder
      .create<linalg::PoolingNhwcSumOp>(kernel.loc, TypeRange{acc.getType()}, ValueRange{x, window},
                                        ValueRange{acc}, pairAttr(builder, op.getStrides()),
                                        pairAttr(builder, {1, 1}))
      .getResult(0);
}

/// Windows at borders may hold fewer elements: a requantization by position then.
Value buildMean(KernelBuilder &kernel, qnn::AveragePoolOp op, const GroupOutput &out) {
  UniformType in = uniformType(op.getInput());
  const std::array<SmallVector<int64_t>, 2> counts = windowCounts(op);
  const int64_t area = op.getKernel()[0] * op.getKernel()[1];
  if (area > INT32_MAX / 255) {
    emitError(kernel.loc) << "averages " << area << " elements; expected at most " << INT32_MAX / 255
                          << ", for their sum to fit 32 bits";
    return nullptr;
  }
  Requant requant;
  requant.zeroPoint = out.type.getZeroPoint();
  for (int64_t rows : counts[0])
    for (int64_t columns : counts[1]) {
      auto multiplier =
          toMultiplier(in.getScale() / (out.type.getScale() * static_cast<double>(rows * columns)));
      if (!multiplier)
        return tooLarge(kernel.loc);
      requant.bias.push_back(static_cast<int32_t>(-in.getZeroPoint() * area));
      requant.multipliers.push_back(multiplier->multiplier);
      requant.shifts.push_back(multiplier->shift);
    }
  Value acc = windowSum(kernel, op, in);
  if (!llvm::all_equal(counts[0]) || !llvm::all_equal(counts[1]))
    return kernel.requantizedByPosition(acc, withRange(requant, out));
  Requant uniform = uniformRequant(shapeOf(acc).back(), requant.bias[0],
                                   {requant.multipliers[0], requant.shifts[0]}, requant.zeroPoint);
  return kernel.requantized(acc, withRange(uniform, out));
}

Value buildTable(KernelBuilder &kernel, tosa::TableOp op) {
  OpBuilder &builder = kernel.builder;
  Value x = kernel.argument(0), table = kernel.constant({256}, constantData<int8_t>(op->getOperand(1)));
  AffineMap identity = builder.getMultiDimIdentityMap(shapeOf(x).size());
  return kernel.elementwise(x, identity, kernel.empty(shapeOf(x), builder.getI8Type()),
                            [&](OpBuilder &nested, ValueRange arguments) -> Value {
                              return nested.create<qnn::LookupOp>(kernel.loc, nested.getI8Type(),
                                                                  arguments[0], table);
                            });
}

Value buildTranspose(KernelBuilder &kernel, ArrayRef<int64_t> permutation) {
  Value x = kernel.argument(0);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(shapeOf(x)[from]);
  Value output = kernel.empty(shape, cast<RankedTensorType>(x.getType()).getElementType());
  return kernel.builder.create<linalg::TransposeOp>(kernel.loc, x, output, permutation)->getResult(0);
}

Value buildQuantize(KernelBuilder &kernel, const GroupOutput &out) {
  Value x = kernel.argument(0);
  AffineMap identity = kernel.builder.getMultiDimIdentityMap(shapeOf(x).size());
  Value output = kernel.empty(shapeOf(x), kernel.builder.getI8Type());
  Location loc = kernel.loc;
  return kernel.elementwise(x, identity, output, [&](OpBuilder &b, ValueRange arguments) -> Value {
    auto f32 = [&](double value) -> Value {
      return b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(static_cast<float>(value)));
    };
    double zeroPoint = static_cast<double>(out.type.getZeroPoint());
    Value q = b.create<arith::DivFOp>(loc, arguments[0], f32(out.type.getScale()));
    q = b.create<math::RoundEvenOp>(loc, q);
    q = b.create<arith::MaxNumFOp>(loc, q, f32(out.lo - zeroPoint)); // a NaN becomes the least value
    q = b.create<arith::MinNumFOp>(loc, q, f32(out.hi - zeroPoint));
    q = b.create<arith::FPToSIOp>(loc, b.getI32Type(), q);
    Value offset = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(out.type.getZeroPoint()));
    q = b.create<arith::AddIOp>(loc, q, offset);
    return b.create<arith::TruncIOp>(loc, b.getI8Type(), q);
  });
}

Value buildDequantize(KernelBuilder &kernel, UniformType from) {
  Value x = kernel.argument(0);
  AffineMap identity = kernel.builder.getMultiDimIdentityMap(shapeOf(x).size());
  Value output = kernel.empty(shapeOf(x), kernel.builder.getF32Type());
  Location loc = kernel.loc;
  return kernel.elementwise(x, identity, output, [&](OpBuilder &b, ValueRange arguments) -> Value {
    Value wide = b.create<arith::ExtSIOp>(loc, b.getI32Type(), arguments[0]);
    Value offset = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(from.getZeroPoint()));
    Value real = b.create<arith::SIToFPOp>(loc, b.getF32Type(), b.create<arith::SubIOp>(loc, wide, offset));
    Value scale = b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(static_cast<float>(from.getScale())));
    return b.create<arith::MulFOp>(loc, real, scale);
  });
}

} // namespace daedalus
