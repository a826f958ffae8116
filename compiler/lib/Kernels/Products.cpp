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

} // namespace daedalus::kernels
