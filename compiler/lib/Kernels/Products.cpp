// Products of matrices: see Products.h.

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::kernels {

/// A constant matrix of float32 transposed; null where it is none.
static Value transposedConstant(Body &body, Value matrix) {
  auto constant = matrix.getDefiningOp<arith::ConstantOp>();
  if (!constant || !elementOf(matrix).isF32())
    return nullptr;
  const auto from = cast<DenseElementsAttr>(constant.getValue()).getValues<float>();
  const int64_t rows = shapeOf(matrix)[0], columns = shapeOf(matrix)[1];
  std::vector<float> to(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      to[j * rows + i] = from[i * columns + j];
  return body.constant<float>({columns, rows}, to);
}

Value matrixProduct(Body &body, Value x, Value y, bool transX, bool transY) {
  if (Value transposed = transY ? transposedConstant(body, y) : Value()) {
    y = transposed;
    transY = false;
  }
  const SmallVector<int64_t> shape{shapeOf(x)[transX ? 1 : 0], shapeOf(y)[transY ? 0 : 1]};
  if (!transX && !transY)
    return namedProduct<linalg::MatmulOp>(body, x, y, shape);
  if (!transY)
    return namedProduct<linalg::MatmulTransposeAOp>(body, x, y, shape);
  if (!transX)
    return namedProduct<linalg::MatmulTransposeBOp>(body, x, y, shape);
  return body.reduce(shape, body.loops(3, {0, 1}), body.number(0, elementOf(x)),
                     {{x, body.loops(3, {2, 0})}, {y, body.loops(3, {1, 2})}},
                     [&](Value sum, ValueRange x) { return body.add(sum, body.mul(x[0], x[1])); });
}

BatchLoops::BatchLoops(MLIRContext *context, Sizes leftShape, Sizes rightShape, size_t outputRank)
    : context(context), batch(outputRank - (leftShape.size() > 1) - (rightShape.size() > 1)),
      depth(batch + (leftShape.size() > 1)), count(depth + 1 + (rightShape.size() > 1)) {
  left = leftShape.size() > 1 ? operand(leftShape, {batch, depth}) : operand(leftShape, depth);
  right = rightShape.size() > 1 ? operand(rightShape, {depth, depth + 1}) : operand(rightShape, depth);
  output = AffineMap::getFilteredIdentityMap(context, count,
                                             [&](AffineDimExpr d) { return d.getPosition() != depth; });
  row = loop(batch), column = loop(count - 1);
}

AffineMap BatchLoops::operand(Sizes shape, ArrayRef<unsigned> matrix) const {
  SmallVector<AffineExpr> at;
  const size_t own = shape.size() - matrix.size();
  for (size_t d = 0; d < own; ++d)
    at.push_back(shape[d] == 1 ? getAffineConstantExpr(0, context) : loop(batch - own + d));
  for (unsigned d : matrix)
    at.push_back(loop(d));
  return AffineMap::get(count, 0, at, context);
}

/// The product of floats as a named operation; null where none means the same.
static Value namedBatchProduct(Body &body, Value x, Value y) {
  const Sizes left = shapeOf(x), right = shapeOf(y);
  const int64_t depth = left.back();
  const Sizes batch = left.drop_back(std::min<size_t>(left.size(), 2));
  const int64_t rows = product(left.drop_back());
  if (right.size() == 1)
    return namedProduct<linalg::MatvecOp>(body, body.reshape(x, {rows, depth}), y, rows);
  if (right.size() == 2)
    return matrixProduct(body, body.reshape(x, {rows, depth}), y);
  if (left.size() != right.size() || batch != right.drop_back(2))
    return nullptr;
  const int64_t count = product(batch), m = left[left.size() - 2], n = right.back();
  return namedProduct<linalg::BatchMatmulOp>(body, body.reshape(x, {count, m, depth}),
                                             body.reshape(y, {count, depth, n}), {count, m, n});
}

Value batchProduct(Body &body, Value x, Value y, Sizes shape, Type type) {
  if (isa<FloatType>(type))
    if (Value result = namedBatchProduct(body, x, y))
      return body.reshape(result, shape);
  const BatchLoops loops(body.b.getContext(), shapeOf(x), shapeOf(y), shape.size());
  return body.reduce(shape, loops.output, body.number(0, type), {{x, loops.left}, {y, loops.right}},
                     [&](Value sum, ValueRange x) { return body.add(sum, body.mul(x[0], x[1])); });
}

} // namespace daedalus::kernels
