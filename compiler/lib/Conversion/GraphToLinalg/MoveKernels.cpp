// Kernels that only move elements.

#include "Kernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus {

Value buildConcat(KernelBuilder &kernel, ValueRange operands, int64_t axis) {
  OpBuilder &b = kernel.b;
  SmallVector<int64_t> shape(shapeOf(operands[0]));
  shape[axis] = 0;
  for (Value part : operands)
    shape[axis] += shapeOf(part)[axis];
  Value result = kernel.empty(shape, elementOf(operands[0]));
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)),
      strides(shape.size(), b.getIndexAttr(1));
  int64_t at = 0;
  for (Value part : operands) {
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), shapeOf(part));
    offsets[axis] = b.getIndexAttr(at);
    at += shapeOf(part)[axis];
    Value place = b.create<tensor::ExtractSliceOp>(kernel.loc, result, offsets, sizes, strides);
    Value copy = b.create<linalg::CopyOp>(kernel.loc, part, place).getResult(0);
    result = b.create<tensor::InsertSliceOp>(kernel.loc, copy, result, offsets, sizes, strides);
  }
  return result;
}

Value buildRepeat(KernelBuilder &kernel, qnn::UpsampleOp op) {
  OpBuilder &b = kernel.b;
  Value x = kernel.argument(0);
  const ArrayRef<int64_t> in = shapeOf(x), factors = op.getFactors();
  const unsigned rows = op.getChannelsLast() ? 1 : 2;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> from;
  SmallVector<ReassociationIndices> joined;
  for (unsigned d = 0; d < 4; ++d) {
    const bool isRepeated = d == rows || d == rows + 1;
    const int64_t at = shape.size();
    from.push_back(b.getAffineDimExpr(at));
    shape.push_back(in[d]);
    joined.push_back({at});
    if (!isRepeated)
      continue;
    shape.push_back(factors[d - rows]);
    joined.back().push_back(at + 1);
  }
  Value wide =
      kernel.elementwise(shape, elementOf(x), kernels::Read{x, AffineMap::get(6, 0, from, b.getContext())},
                         [](ValueRange elements) { return elements[0]; });
  return b.create<tensor::CollapseShapeOp>(kernel.loc, wide, joined);
}

Value buildTranspose(KernelBuilder &kernel, ArrayRef<int64_t> permutation) {
  Value x = kernel.argument(0);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(shapeOf(x)[from]);
  Value output = kernel.empty(shape, elementOf(x));
  return kernel.b.create<linalg::TransposeOp>(kernel.loc, x, output, permutation)->getResult(0);
}

Value buildSlice(KernelBuilder &kernel, tosa::SliceOp op) {
  OpBuilder &b = kernel.b;
  const SmallVector<OpFoldResult> offsets = getAsIndexOpFoldResult(b.getContext(), op.getStart()),
                                  sizes = getAsIndexOpFoldResult(b.getContext(), op.getSize()),
                                  strides(op.getStart().size(), b.getIndexAttr(1));
  Value part = b.create<tensor::ExtractSliceOp>(kernel.loc, kernel.argument(0), offsets, sizes, strides);
  return kernel.elementwise(part, [](Value element) { return element; });
}

} // namespace daedalus
