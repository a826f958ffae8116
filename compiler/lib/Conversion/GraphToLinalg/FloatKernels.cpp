// Kernels of the operations of real numbers that no quantization took. Images have the order [N, C, H, W], or
// where the operation says so [N, H, W, C]; sums run in the order of ONNX's definition.

#include "Groups.h"
#include "Kernels.h"

#include "daedalus/Kernels/Normalizations.h"
#include "daedalus/Kernels/Pools.h"
#include "daedalus/Kernels/Products.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

using K = KernelBuilder;
using Shape = ArrayRef<int64_t>;

/// An operand as the result's elements read it, by numpy's broadcast.
kernels::Read broadcast(K &k, Value operand, size_t rank) {
  const Shape own = shapeOf(operand);
  SmallVector<AffineExpr> at;
  for (auto [d, size] : llvm::enumerate(own))
    at.push_back(size == 1 ? k.b.getAffineConstantExpr(0) : k.b.getAffineDimExpr(rank - own.size() + d));
  return {operand, AffineMap::get(rank, 0, at, k.b.getContext())};
}

Value binary(K &k, ValueRange x, Shape shape, function_ref<Value(Value, Value)> function) {
  return k.elementwise(shape, elementOf(x[0]),
                       {broadcast(k, x[0], shape.size()), broadcast(k, x[1], shape.size())},
                       [&](ValueRange elements) { return function(elements[0], elements[1]); });
}

/// With operand 2, of one number, or one along a dimension.
Value withBias(K &k, Value sum, ValueRange operands, unsigned dimension = 1) {
  if (operands.size() < 3)
    return sum;
  const unsigned rank = shapeOf(sum).size();
  Value bias = operands[2];
  SmallVector<AffineExpr> at(shapeOf(bias).size(), k.b.getAffineConstantExpr(0));
  if (kernels::product(shapeOf(bias)) != 1)
    at.back() = k.b.getAffineDimExpr(dimension);
  return k.elementwise(
      shapeOf(sum), elementOf(sum),
      {k.broadcast(sum, shapeOf(sum)), {bias, AffineMap::get(rank, 0, at, k.b.getContext())}},
      [&](ValueRange x) { return k.add(x[0], x[1]); });
}

Value conv(K &k, qnn::ConvOp op, ValueRange operands, Shape shape) {
  const kernels::Window window = windowOf(op);
  if (op.getChannelsLast()) {
    DenseElementsAttr weights = elementsOf(op.getWeights());
    Value w = k.constant(weights.reshape(weights.getType().clone(productShape(op))));
    return withBias(k, buildProducts(k, op, kernels::padded(k, operands[0], window, 0, 1), w), operands, 3);
  }
  Value x = kernels::padded(k, operands[0], window, 0);
  return withBias(k, kernels::convolution(k, x, operands[1], window, op.getGroups(), shape), operands);
}

Value matmul(K &k, qnn::MatmulOp op, ValueRange operands, Shape shape) {
  Value x = operands[0];
  const int64_t depth = shapeOf(x).back(), rows = kernels::product(shapeOf(x)) / depth;
  Value sum = kernels::matrixProduct(k, k.reshape(x, {rows, depth}), operands[1], false, op.getTransposed());
  return k.reshape(withBias(k, sum, operands), shape);
}

Value batchMatmul(K &k, qnn::BatchMatmulOp op, ValueRange operands, Shape shape) {
  Value matrices[2];
  for (unsigned i : {0u, 1u}) {
    const SmallVector<int64_t> order = op.orderOf(i);
    matrices[i] = llvm::is_sorted(order) ? operands[i] : k.transpose(operands[i], order);
  }
  return kernels::batchProduct(k, matrices[0], matrices[1], shape, elementOf(matrices[0]));
}

kernels::PoolInputs inputs(K &k, Value x, const kernels::Window &window, double padding, bool channelsLast) {
  Value extents = kernels::extents(k, window);
  return {kernels::padded(k, x, window, padding, channelsLast ? 1 : 2), extents};
}

Value maxPool(K &k, qnn::MaxPoolOp op, Value x, Shape shape) {
  const kernels::Window window = windowOf(op);
  const double least = -std::numeric_limits<double>::infinity();
  const kernels::PoolInputs in = inputs(k, x, window, least, op.getChannelsLast());
  return kernels::maxPool(k, in, window, shape, k.f32(least), false, op.getChannelsLast());
}

Value averagePool(K &k, qnn::AveragePoolOp op, Value x, Shape shape) {
  const kernels::Window window = windowOf(op);
  const kernels::PoolInputs in = inputs(k, x, window, 0, op.getChannelsLast());
  return kernels::averagePool(k, in, window, shape, k.f32(0), countedEnd(op), op.getChannelsLast());
}

Value clamp(K &k, tosa::ClampOp op, Value x) {
  const double lo = op.getMinFp().convertToFloat(), hi = op.getMaxFp().convertToFloat();
  Value least = std::isinf(lo) && lo < 0 ? Value() : k.f32(lo),
        most = std::isinf(hi) && hi > 0 ? Value() : k.f32(hi);
  return k.elementwise(x, [&](Value element) {
    element = least ? k.max(element, least) : element;
    return most ? k.min(element, most) : element;
  });
}

} // namespace

Value buildFloat(KernelBuilder &k, Operation *op, ValueRange x) {
  const Shape shape = shapeOf(op->getResult(0));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<qnn::ConvOp>([&](auto op) { return conv(k, op, x, shape); })
      .Case<qnn::MatmulOp>([&](auto op) { return matmul(k, op, x, shape); })
      .Case<qnn::BatchMatmulOp>([&](auto op) { return batchMatmul(k, op, x, shape); })
      .Case<qnn::AddOp>(
          [&](auto) { return binary(k, x, shape, [&](Value a, Value b) { return k.add(a, b); }); })
      .Case<qnn::SubOp>(
          [&](auto) { return binary(k, x, shape, [&](Value a, Value b) { return k.sub(a, b); }); })
      .Case<qnn::MulOp>(
          [&](auto) { return binary(k, x, shape, [&](Value a, Value b) { return k.mul(a, b); }); })
      .Case<qnn::MaxPoolOp>([&](auto op) { return maxPool(k, op, x[0], shape); })
      .Case<qnn::AveragePoolOp>([&](auto op) { return averagePool(k, op, x[0], shape); })
      .Case<qnn::BatchNormOp>([&](auto op) {
        return kernels::batchNormalization(k, k.broadcast(x[0], shape), shape, {x[1], x[2], x[3], x[4]},
                                           op.getEpsilon().convertToDouble());
      })
      .Case<qnn::UpsampleOp>([&](auto op) { return buildRepeat(k, op); })
      .Case<qnn::ConcatOp>([&](auto op) { return buildConcat(k, x, op.getAxis()); })
      .Case<tosa::ClampOp>([&](auto op) { return clamp(k, op, x[0]); })
      .Default([](Operation *) { return Value(); });
}

} // namespace daedalus
