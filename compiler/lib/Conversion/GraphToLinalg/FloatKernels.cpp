// Kernels of the operations of real numbers that no quantization took. Images have the order [N, C, H, W];
// sums run in the order of ONNX's definition.

#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

using Combine = function_ref<Value(OpBuilder &, Location, ValueRange)>;

class FloatKernel {
public:
  FloatKernel(KernelBuilder &kernel, Operation *op, ValueRange operands)
      : kernel(kernel), b(kernel.builder), loc(kernel.loc), op(op), operands(operands),
        shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape()) {}

  Value build() {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<qnn::ConvOp>([&](auto op) { return conv(op); })
        .Case<qnn::MatmulOp>([&](auto op) { return matmul(op); })
        .Case<qnn::AddOp>([&](auto) { return binary<arith::AddFOp>(); })
        .Case<qnn::SubOp>([&](auto) { return binary<arith::SubFOp>(); })
        .Case<qnn::MulOp>([&](auto) { return binary<arith::MulFOp>(); })
        .Case<qnn::MaxPoolOp>([&](auto op) { return maxPool(op); })
        .Case<qnn::AveragePoolOp>([&](auto op) { return averagePool(op); })
        .Case<qnn::BatchNormOp>([&](auto op) { return batchNorm(op); })
        .Case<qnn::UpsampleOp>([&](auto op) { return buildRepeat(kernel, op); })
        .Case<tosa::ClampOp>([&](auto op) { return clamp(op); })
        .Case<qnn::ConcatOp>([&](auto op) { return buildConcat(kernel, operands, op.getAxis()); })
        .Default([](Operation *) { return Value(); });
  }

private:
  Value number(double value) {
    return b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(static_cast<float>(value)));
  }

  Value filled(ArrayRef<int64_t> shape, double value) {
    Value empty = kernel.empty(shape, b.getF32Type());
    return b.create<linalg::FillOp>(loc, number(value), empty).getResult(0);
  }

  /// An image with `value` around it; `pads` as qnn has them.
  Value padded(Value x, ArrayRef<int64_t> pads, double value) {
    if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
      return x;
    const SmallVector<OpFoldResult> low = getAsIndexOpFoldResult(b.getContext(), {0, 0, pads[0], pads[2]}),
                                    high = getAsIndexOpFoldResult(b.getContext(), {0, 0, pads[1], pads[3]});
    const ArrayRef<int64_t> from = shapeOf(x);
    auto type = cast<RankedTensorType>(x.getType())
                    .clone({from[0], from[1], from[2] + pads[0] + pads[1], from[3] + pads[2] + pads[3]});
    return b.create<tensor::PadOp>(loc, type, x, low, high, number(value));
  }

  /// A named operation on zeros.
  template <class Op, class... Attributes>
  Value named(Value x, Value y, ArrayRef<int64_t> shape, double init, Attributes... attributes) {
    Value zeros = filled(shape, init);
    return b.create<Op>(loc, TypeRange{zeros.getType()}, ValueRange{x, y}, ValueRange{zeros}, attributes...)
        .getResult(0);
  }

  Value reshaped(Value x, ArrayRef<int64_t> to) {
    auto from = cast<RankedTensorType>(x.getType()), type = from.clone(to);
    if (from == type)
      return x;
    const auto reassociation = getReassociationIndicesForReshape(from, type);
    if (from.getRank() < type.getRank())
      return b.create<tensor::ExpandShapeOp>(loc, type, x, *reassociation);
    return b.create<tensor::CollapseShapeOp>(loc, type, x, *reassociation);
  }

  DenseIntElementsAttr pair(ArrayRef<int64_t> values) { return b.getI64TensorAttr(values); }

  /// The map by which an element of `of`'s shape reads an operand, by numpy's broadcast.
  AffineMap broadcast(Value operand, size_t rank) {
    SmallVector<AffineExpr> at;
    const ArrayRef<int64_t> own = shapeOf(operand);
    for (auto [d, size] : llvm::enumerate(own))
      at.push_back(size == 1 ? b.getAffineConstantExpr(0) : b.getAffineDimExpr(rank - own.size() + d));
    return AffineMap::get(rank, 0, at, b.getContext());
  }

  Value elementwise(ArrayRef<int64_t> shape, ValueRange inputs, ArrayRef<AffineMap> maps, Combine combine) {
    return kernel.elementwise(inputs, maps, kernel.empty(shape, b.getF32Type()),
                              [&](OpBuilder &nested, ValueRange x) { return combine(nested, loc, x); });
  }

  /// With one number, or one along dimension `channel`.
  Value withBias(Value sum, Value bias, unsigned channel) {
    if (!bias)
      return sum;
    const unsigned rank = shapeOf(sum).size();
    SmallVector<AffineExpr> at(shapeOf(bias).size(), b.getAffineConstantExpr(0));
    if (cast<RankedTensorType>(bias.getType()).getNumElements() != 1)
      at.back() = b.getAffineDimExpr(channel);
    return elementwise(shapeOf(sum), {sum, bias},
                       {b.getMultiDimIdentityMap(rank), AffineMap::get(rank, 0, at, b.getContext())},
                       [](OpBuilder &nested, Location loc, ValueRange x) -> Value {
                         return nested.create<arith::AddFOp>(loc, x[0], x[1]);
                       });
  }

  static SmallVector<int64_t> grouped(ArrayRef<int64_t> shape, int64_t groups, size_t axis) {
    SmallVector<int64_t> result(shape);
    result[axis] /= groups;
    result.insert(result.begin() + axis, groups);
    return result;
  }

  Value conv(qnn::ConvOp op) {
    const int64_t groups = op.getGroups();
    const auto strides = pair(op.getStrides()), dilations = pair(op.getDilations());
    Value x = padded(operands[0], op.getPad(), 0), w = operands[1];
    const ArrayRef<int64_t> weights = shapeOf(w);
    Value sum;
    if (groups == 1)
      sum = named<linalg::Conv2DNchwFchwOp>(x, w, shape, 0, strides, dilations);
    else if (groups == weights[0] && weights[1] == 1)
      sum = named<linalg::DepthwiseConv2DNchwChwOp>(x, reshaped(w, {groups, weights[2], weights[3]}), shape,
                                                    0, strides, dilations);
    else
      sum = reshaped(named<linalg::Conv2DNgchwGfchwOp>(reshaped(x, grouped(shapeOf(x), groups, 1)),
                                                       reshaped(w, grouped(weights, groups, 0)),
                                                       grouped(shape, groups, 1), 0, strides, dilations),
                     shape);
    return withBias(sum, operands.size() > 2 ? operands[2] : Value(), 1);
  }

  Value transposedConstant(Value w) {
    auto elements = cast<DenseElementsAttr>(w.getDefiningOp<arith::ConstantOp>().getValue());
    const SmallVector<float> from(elements.value_begin<float>(), elements.value_end<float>());
    const int64_t rows = shapeOf(w)[0], columns = shapeOf(w)[1];
    std::vector<float> to(from.size());
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        to[j * rows + i] = from[i * columns + j];
    return b.create<arith::ConstantOp>(
        loc, DenseElementsAttr::get(elements.getType().clone({columns, rows}), ArrayRef<float>(to)));
  }

  Value matmul(qnn::MatmulOp op) {
    Value x = operands[0], w = operands[1];
    const bool isConstant = op.getTransposed() && w.getDefiningOp<arith::ConstantOp>();
    if (isConstant)
      w = transposedConstant(w);
    const int64_t depth = shapeOf(x).back(), columns = shape.back();
    const int64_t rows = cast<RankedTensorType>(x.getType()).getNumElements() / depth;
    x = reshaped(x, {rows, depth});
    Value sum = op.getTransposed() && !isConstant
                    ? named<linalg::MatmulTransposeBOp>(x, w, {rows, columns}, 0)
                    : named<linalg::MatmulOp>(x, w, {rows, columns}, 0);
    return reshaped(withBias(sum, operands.size() > 2 ? operands[2] : Value(), 1), shape);
  }

  template <class Op> Value binary() {
    return elementwise(shape, operands,
                       {broadcast(operands[0], shape.size()), broadcast(operands[1], shape.size())},
                       [](OpBuilder &nested, Location loc, ValueRange x) -> Value {
                         return nested.create<Op>(loc, x[0], x[1]);
                       });
  }

  Value maxPool(qnn::MaxPoolOp op) {
    const double least = -std::numeric_limits<double>::infinity();
    return named<linalg::PoolingNchwMaxOp>(padded(operands[0], op.getPad(), least),
                                           kernel.empty(op.getKernel(), b.getI8Type()), shape, least,
                                           pair(op.getStrides()), pair(op.getDilations()));
  }

  /// The numbers of elements that windows average are a constant.
  Value averagePool(qnn::AveragePoolOp op) {
    Value sum = named<linalg::PoolingNchwSumOp>(padded(operands[0], op.getPad(), 0),
                                                kernel.empty(op.getKernel(), b.getI8Type()), shape, 0,
                                                pair(op.getStrides()), pair({1, 1}));
    const std::array<SmallVector<int64_t>, 2> along = windowCounts(op);
    SmallVector<float> counts;
    for (int64_t row : along[0])
      for (int64_t column : along[1])
        counts.push_back(static_cast<float>(row * column));
    const bool isOne = llvm::all_equal(counts);
    const auto type = RankedTensorType::get({shape[2], shape[3]}, b.getF32Type());
    SmallVector<Value> inputs{sum};
    SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(4)};
    Value count;
    if (isOne) {
      count = number(counts[0]);
    } else {
      inputs.push_back(
          b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, ArrayRef<float>(counts))));
      maps.push_back(AffineMap::getMultiDimMapWithTargets(4, {2, 3}, b.getContext()));
    }
    return elementwise(shape, inputs, maps, [&](OpBuilder &nested, Location loc, ValueRange x) -> Value {
      return nested.create<arith::DivFOp>(loc, x[0], isOne ? count : x[1]);
    });
  }

  /// Folded into one factor and one summand a channel.
  Value batchNorm(qnn::BatchNormOp op) {
    const ArrayRef<int64_t> channels = shapeOf(operands[1]);
    const AffineMap each = b.getMultiDimIdentityMap(1);
    Value one = number(1), epsilon = number(op.getEpsilon().convertToDouble());
    Value factor = elementwise(channels, {operands[1], operands[4]}, {each, each},
                               [&](OpBuilder &nested, Location loc, ValueRange x) -> Value {
                                 Value sum = nested.create<arith::AddFOp>(loc, x[1], epsilon);
                                 Value root = nested.create<math::SqrtOp>(loc, sum);
                                 Value inverse = nested.create<arith::DivFOp>(loc, one, root);
                                 return nested.create<arith::MulFOp>(loc, x[0], inverse);
                               });
    Value summand = elementwise(channels, {operands[2], operands[3], factor}, {each, each, each},
                                [](OpBuilder &nested, Location loc, ValueRange x) -> Value {
                                  Value shift = nested.create<arith::MulFOp>(loc, x[1], x[2]);
                                  return nested.create<arith::SubFOp>(loc, x[0], shift);
                                });
    const unsigned rank = shape.size();
    const AffineMap channel = rank > 1 ? AffineMap::get(rank, 0, b.getAffineDimExpr(1))
                                       : AffineMap::get(rank, 0, b.getAffineConstantExpr(0));
    return elementwise(shape, {operands[0], factor, summand},
                       {b.getMultiDimIdentityMap(rank), channel, channel},
                       [](OpBuilder &nested, Location loc, ValueRange x) -> Value {
                         Value scaled = nested.create<arith::MulFOp>(loc, x[0], x[1]);
                         return nested.create<arith::AddFOp>(loc, scaled, x[2]);
                       });
  }

  Value clamp(tosa::ClampOp op) {
    const double lo = op.getMinFp().convertToFloat(), hi = op.getMaxFp().convertToFloat();
    Value least = std::isinf(lo) && lo < 0 ? Value() : number(lo),
          most = std::isinf(hi) && hi > 0 ? Value() : number(hi);
    return elementwise(shape, operands[0], b.getMultiDimIdentityMap(shape.size()),
                       [&](OpBuilder &nested, Location loc, ValueRange x) {
                         Value result = x[0];
                         if (least)
                           result = nested.create<arith::MaximumFOp>(loc, result, least);
                         if (most)
                           result = nested.create<arith::MinimumFOp>(loc, result, most);
                         return result;
                       });
  }

  KernelBuilder &kernel;
  OpBuilder &b;
  const Location loc;
  Operation *op;
  const ValueRange operands;
  const ArrayRef<int64_t> shape;
};

} // namespace

Value buildFloat(KernelBuilder &kernel, Operation *op, ValueRange operands) {
  return FloatKernel(kernel, op, operands).build();
}

} // namespace daedalus
