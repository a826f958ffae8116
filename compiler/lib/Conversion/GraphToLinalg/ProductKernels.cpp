// Convolutions and products of matrices of quantized tensors, with constant weights and a bias.

#include "Kernels.h"

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {
namespace {

/// The scales of weights, one or one a channel.
SmallVector<double> scalesOf(Value weights) {
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(elementOf(weights)))
    return SmallVector<double>(perAxis.getScales());
  return {uniformType(weights).getScale()};
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

/// How often weights are twice those of 8 bits: 0 where they are such, or are not.
unsigned doublingsOf(Value constant) {
  if (cast<quant::QuantizedType>(elementOf(constant)).getStorageTypeIntegralWidth() == 8)
    return 0;
  const SmallVector<int16_t> weights = weightData(constant);
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  unsigned doublings = 0;
  while ((*least >> doublings) < -128 || (*most >> doublings) > 127)
    ++doublings;
  const int mask = (1 << doublings) - 1;
  return llvm::any_of(weights, [&](int16_t weight) { return weight & mask; }) ? 0 : doublings;
}

/// Without their doublings.
Value weightConstant(KernelBuilder &kernel, ArrayRef<int64_t> shape, Value weights) {
  auto attribute = cast<DenseElementsAttr>(weights.getDefiningOp<tosa::ConstOp>().getValue());
  const unsigned doublings = doublingsOf(weights);
  if (doublings == 0)
    return kernel.constant(attribute.reshape(attribute.getType().clone(shape)));
  SmallVector<int8_t> bytes;
  for (int16_t weight : weightData(weights))
    bytes.push_back(static_cast<int8_t>(weight >> doublings));
  return kernel.constant<int8_t>(shape, bytes);
}

/// The accumulators of weights, of those without their doublings.
Value doubled(KernelBuilder &kernel, Value sums, Value weights) {
  const unsigned doublings = doublingsOf(weights);
  if (doublings == 0)
    return sums;
  return kernel.elementwise(sums, [&](Value sum) -> Value {
    return kernel.b.create<arith::ShLIOp>(kernel.loc, sum, kernel.number(doublings, sum.getType()));
  });
}

/// The result of a product with constant weights and bias, of its accumulators.
template <class Op> Value quantized(KernelBuilder &kernel, Op op, Value sums, const GroupOutput &out) {
  const UniformType input = uniformType(op.getInput());
  SmallVector<double> scales = scalesOf(op.getWeights());
  for (double &scale : scales)
    scale = scale * input.getScale() / out.type.getScale();
  Result<Requant> requant = productRequant(weightData(op.getWeights()), constantData<int32_t>(op.getBias()),
                                           scales, input.getZeroPoint());
  if (!requant)
    return emitError(kernel.loc) << requant.error(), nullptr;
  requant->zeroPoint = out.type.getZeroPoint();
  return kernel.requantized(sums, withRange(*requant, out));
}

/// An element less its zero point.
Value centred(KernelBuilder &kernel, Value element, int64_t zeroPoint) {
  const Type i32 = kernel.b.getI32Type();
  Value wide = kernel.b.create<arith::ExtSIOp>(kernel.loc, i32, element);
  return zeroPoint == 0 ? wide : kernel.sub(wide, kernel.number(double(zeroPoint), i32));
}

/// With a residual beside the accumulators, whose channels are the last dimension of both.
template <class Op>
Value quantizedWithResidual(KernelBuilder &kernel, Op op, Value sums, Value residual,
                            const GroupOutput &out) {
  const UniformType input = uniformType(op.getInput()), added = uniformType(op.getResidual());
  SmallVector<double> units = scalesOf(op.getWeights());
  for (double &unit : units)
    unit *= input.getScale();
  Result<ResidualRecipe> recipe =
      residualRecipe(weightData(op.getWeights()), constantData<int32_t>(op.getBias()), units,
                     input.getZeroPoint(), added.getScale(), added.getZeroPoint(), out.type.getScale());
  if (!recipe)
    return emitError(kernel.loc) << recipe.error(), nullptr;
  const Type i32 = kernel.b.getI32Type();
  const ArrayRef<int64_t> shape = shapeOf(sums);
  const unsigned rank = shape.size();
  SmallVector<kernels::Read> reads{kernel.broadcast(sums, shape), kernel.broadcast(residual, shape)};
  if (recipe->factors.size() > 1)
    reads.push_back(
        {kernel.constant<int32_t>(shape.take_back(), recipe->factors), kernel.loops(rank, rank - 1)});
  Value total = kernel.elementwise(shape, i32, reads, [&](ValueRange x) {
    Value factor = x.size() > 2 ? x[2] : kernel.number(recipe->factors[0], i32);
    return kernel.add(kernel.mul(x[0], kernel.number(double(1 << recipe->shift), i32)),
                      kernel.mul(centred(kernel, x[1], 0), factor));
  });
  recipe->requant.zeroPoint = out.type.getZeroPoint();
  return kernel.requantized(total, withRange(recipe->requant, out));
}

/// The result of a product, whose residual is the kernel's second argument; or the sums themselves.
template <class Op> Value result(KernelBuilder &kernel, Op op, Value sums, const GroupOutput &out) {
  if (elementOf(op.getOutput()).isInteger(32))
    return sums;
  return op.getResidual() ? quantizedWithResidual(kernel, op, sums, kernel.argument(1), out)
                          : quantized(kernel, op, sums, out);
}

/// The maps of a convolution in groups to its loops n, y, c, g, f, i, j, k: x [N,H,W,G,C/G], w [G,F/G,KH,KW,
/// C/G] and the result [N,H,W,G,F/G].
std::array<AffineMap, 3> groupedMaps(MLIRContext *context, const kernels::Window &window) {
  AffineExpr n, y, c, g, f, i, j, k;
  bindDims(context, n, y, c, g, f, i, j, k);
  AffineExpr row = y * window.strides[0] + i * window.dilations[0];
  AffineExpr column = c * window.strides[1] + j * window.dilations[1];
  const auto map = [&](ArrayRef<AffineExpr> results) { return AffineMap::get(8, 0, results, context); };
  return {map({n, row, column, g, k}), map({g, f, i, j, k}), map({n, y, c, g, f})};
}

/// Whether each element is multiplied by a number of its channel, as in a normalization: no reduction, so
/// that it joins what it follows.
bool scalesChannels(qnn::ConvOp op) {
  const ArrayRef<int64_t> x = shapeOf(op.getInput()), w = shapeOf(op.getWeights());
  return op.getGroups() > 1 && op.getGroups() == x.back() && x == shapeOf(op.getOutput()) &&
         w[1] * w[2] * w[3] == 1;
}

/// Weights, one a channel; of 16 bits as of 32, which are what elements are computed with.
Value factorsOf(KernelBuilder &kernel, Value weights) {
  const ArrayRef<int64_t> shape = shapeOf(weights).take_front();
  auto constant = weights.getDefiningOp<arith::ConstantOp>();
  if (!elementOf(weights).isInteger(16) || !constant)
    return kernel.reshape(weights, shape);
  SmallVector<int32_t> wide;
  for (int16_t weight : cast<DenseElementsAttr>(constant.getValue()).getValues<int16_t>())
    wide.push_back(weight);
  return kernel.constant<int32_t>(shape, wide);
}

Value scaledChannels(KernelBuilder &kernel, Value x, Value w) {
  const ArrayRef<int64_t> shape = shapeOf(x);
  const Type i32 = kernel.b.getI32Type();
  const auto wide = [&](Value element) -> Value {
    return element.getType() == i32 ? element : kernel.b.create<arith::ExtSIOp>(kernel.loc, i32, element);
  };
  const kernels::Read factors{factorsOf(kernel, w), kernel.loops(shape.size(), shape.size() - 1)};
  return kernel.elementwise(shape, i32, {kernel.broadcast(x, shape), factors},
                            [&](ValueRange at) { return kernel.mul(wide(at[0]), wide(at[1])); });
}

/// Channels as [groups, channels of a group], on both sides.
Value groupedConv(KernelBuilder &kernel, qnn::ConvOp op, Value x, Value w, Type type) {
  const int64_t groups = op.getGroups();
  const auto grouped = [&](ArrayRef<int64_t> channelsLast) {
    SmallVector<int64_t> shape(channelsLast);
    shape.back() /= groups;
    shape.insert(shape.end() - 1, groups);
    return shape;
  };
  const auto [ofX, ofW, ofY] = groupedMaps(kernel.b.getContext(), windowOf(op));
  const auto wide = [&](Value element) -> Value {
    return type.isF32() ? element : kernel.b.create<arith::ExtSIOp>(kernel.loc, type, element);
  };
  Value input = kernel.reshape(x, grouped(shapeOf(x)));
  Value sum = kernel.reduce(grouped(shapeOf(op.getOutput())), ofY, kernel.number(0, type),
                            {{input, ofX}, {w, ofW}}, [&](Value sum, ValueRange elements) {
                              Value left = wide(elements[0]);
                              return kernel.add(sum, kernel.mul(left, wide(elements[1])));
                            });
  return kernel.reshape(sum, shapeOf(op.getOutput()));
}

/// The elements of an operand of a batch's product in loops over the batch, rows, columns and the reduction.
kernels::Read readMatrices(KernelBuilder &kernel, qnn::BatchMatmulOp op, unsigned operand, Value tensor) {
  const unsigned loops = shapeOf(op.getOutput()).size() + 1;
  const SmallVector<int64_t> order = op.orderOf(operand), shape = op.matricesOf(operand);
  SmallVector<AffineExpr> at(order.size());
  const unsigned own = order.size() - 2, batch = loops - 3;
  for (unsigned d = 0; d < own; ++d)
    at[order[d]] =
        shape[d] == 1 ? kernel.b.getAffineConstantExpr(0) : kernel.b.getAffineDimExpr(batch - own + d);
  const AffineExpr depth = kernel.b.getAffineDimExpr(loops - 1);
  at[order[own]] = operand == 0 ? kernel.b.getAffineDimExpr(batch) : depth;
  at[order[own + 1]] = operand == 0 ? depth : kernel.b.getAffineDimExpr(batch + 1);
  return {tensor, AffineMap::get(loops, 0, at, kernel.b.getContext())};
}

/// Proof: each term of a sum of `depth` is a product of two int8 less their zero points.
Result<void> provesBatchProduct(UniformType left, UniformType right, int64_t depth) {
  const int64_t most = qnn::mostProducts(left, right);
  if (depth <= most)
    return {};
  return error("its accumulator of " + std::to_string(depth) + " products of up to " +
               std::to_string(qnn::mostOfProduct(left, right)) + " may not fit 32 bits; expected at most " +
               std::to_string(most) + " products");
}

} // namespace

SmallVector<int64_t> productShape(qnn::ConvOp op) {
  SmallVector<int64_t> shape(shapeOf(op.getWeights()));
  if (op.getGroups() == 1)
    return shape;
  shape[0] /= op.getGroups();
  shape.insert(shape.begin(), op.getGroups());
  return shape;
}

Value buildProducts(KernelBuilder &kernel, qnn::ConvOp op, Value x, Value w) {
  const Type type = elementOf(x).isF32() ? elementOf(x) : kernel.b.getI32Type();
  if (!type.isF32() && scalesChannels(op))
    return scaledChannels(kernel, x, w);
  if (op.getGroups() > 1)
    return groupedConv(kernel, op, x, w, type);
  return kernel.named<linalg::Conv2DNhwcFhwcOp>({x, w}, kernel.filled(shapeOf(op.getOutput()), 0, type),
                                                kernel.b.getI64TensorAttr(op.getStrides()),
                                                kernel.b.getI64TensorAttr(op.getDilations()));
}

Value buildConv(KernelBuilder &kernel, qnn::ConvOp op, const GroupOutput &out) {
  const double zeroPoint = double(uniformType(op.getInput()).getZeroPoint());
  Value x = kernels::padded(kernel, kernel.argument(0), windowOf(op), zeroPoint, 1);
  Value sums = buildProducts(kernel, op, x, weightConstant(kernel, productShape(op), op.getWeights()));
  return result(kernel, op, doubled(kernel, sums, op.getWeights()), out);
}

Value buildMatmul(KernelBuilder &kernel, qnn::MatmulOp op, const GroupOutput &out) {
  Value w = weightConstant(kernel, shapeOf(op.getWeights()), op.getWeights());
  Value acc = kernel.filled(shapeOf(op.getOutput()), 0, kernel.b.getI32Type());
  Value sums = kernel.named<linalg::MatmulTransposeBOp>({kernel.argument(0), w}, acc);
  return result(kernel, op, doubled(kernel, sums, op.getWeights()), out);
}

Value buildBatchMatmul(KernelBuilder &kernel, qnn::BatchMatmulOp op, ValueRange operands,
                       const GroupOutput &out) {
  const UniformType left = uniformType(op.getLeft()), right = uniformType(op.getRight());
  if (const auto proof = provesBatchProduct(left, right, op.matricesOf(0).back()); !proof) {
    emitError(kernel.loc) << proof.error();
    return nullptr;
  }
  const ArrayRef<int64_t> shape = shapeOf(op.getOutput());
  const unsigned loops = shape.size() + 1;
  Value sum = kernel.reduce(
      shape, AffineMap::getMultiDimIdentityMap(loops, kernel.b.getContext()).dropResult(loops - 1),
      kernel.number(0, kernel.b.getI32Type()),
      {readMatrices(kernel, op, 0, operands[0]), readMatrices(kernel, op, 1, operands[1])},
      [&](Value sum, ValueRange x) {
        Value product = kernel.mul(centred(kernel, x[0], left.getZeroPoint()),
                                   centred(kernel, x[1], right.getZeroPoint()));
        return kernel.add(sum, product);
      });
  if (elementOf(op.getOutput()).isInteger(32))
    return sum;
  const auto multiplier = toMultiplier(left.getScale() * right.getScale() / out.type.getScale());
  if (!multiplier)
    return tooLarge(kernel.loc);
  return kernel.requantized(
      sum, withRange(uniformRequant(shape.back(), 0, *multiplier, out.type.getZeroPoint()), out));
}

} // namespace daedalus
