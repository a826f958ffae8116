// Kernels that only move elements.

#include "Kernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {

Value buildConcat(KernelBuilder &kernel, unsigned operands, int64_t axis) {
  OpBuilder &b = kernel.builder;
  SmallVector<int64_t> shape(shapeOf(kernel.argument(0)));
  shape[axis] = 0;
  for (unsigned i = 0; i < operands; ++i)
    shape[axis] += shapeOf(kernel.argument(i))[axis];
  Value result = kernel.empty(shape, b.getI8Type());
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)),
      strides(shape.size(), b.getIndexAttr(1));
  int64_t at = 0;
  for (unsigned i = 0; i < operands; ++i) {
    Value part = kernel.argument(i);
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), shapeOf(part));
    offsets[axis] = b.getIndexAttr(at);
    at += shapeOf(part)[axis];
    Value place = b.create<tensor::ExtractSliceOp>(kernel.loc, result, offsets, sizes, strides);
    Value copy = b.create<linalg::CopyOp>(kernel.loc, part, place).getResult(0);
    result = b.create<tensor::InsertSliceOp>(kernel.loc, copy, result, offsets, sizes, strides);
  }
  return result;
}

Value buildRepeat(KernelBuilder &kernel, int64_t rows, int64_t columns) {
  OpBuilder &b = kernel.builder;
  Value x = kernel.argument(0);
  ArrayRef<int64_t> in = shapeOf(x);
  auto d = [&](unsigned k) { return b.getAffineDimExpr(k); };
  AffineMap from = AffineMap::get(6, 0, {d(0), d(1), d(3), d(5)}, b.getContext());
  Value wide = kernel.empty({in[0], in[1], rows, in[2], columns, in[3]}, b.getI8Type());
  wide = kernel.elementwise(x, from, wide, [](OpBuilder &, ValueRange arguments) { return arguments[0]; });
  SmallVector<ReassociationIndices> joined{{0}, {1, 2}, {3, 4}, {5}};
  return b.create<tensor::CollapseShapeOp>(kernel.loc, wide, joined);
}

} // namespace daedalus
