// Kernels of single elements, and those that only move them.

#include "KernelReader.h"

namespace daedalus::accelerator {

bool Reader::isPointwise(mlir::linalg::LinalgOp op) {
  return !op.getNumReductionLoops() &&
         llvm::all_of(op.getIndexingMapsArray(), [](mlir::AffineMap m) { return m.isIdentity(); });
}

bool Reader::readPair(mlir::linalg::GenericOp generic) {
  setShapes(generic.getInputs()[0], generic.getResult(0));
  return readInput(generic.getInputs()[0], false) && readInput(generic.getInputs()[1], false);
}

bool Reader::readAdd(mlir::linalg::GenericOp add) {
  kernel.kind = KernelKind::Add;
  const auto factors = factorsOfSum(add);
  if (!factors || !isPointwise(add))
    return fail("its elementwise computation is not a sum of two products");
  std::tie(kernel.multiplierA, kernel.multiplierB) = *factors;
  return readPair(add);
}

bool Reader::readMul(mlir::linalg::GenericOp mul) {
  kernel.kind = KernelKind::Mul;
  const auto zeros = zerosOfProduct(mul);
  const auto isZeroPoint = [](int32_t zero) { return zero >= -255 && zero <= 255; };
  if (!zeros || !isZeroPoint(zeros->first) || !isZeroPoint(zeros->second) || !isPointwise(mul))
    return fail("its elementwise computation is not a product of two differences");
  std::tie(kernel.zeroA, kernel.zeroB) = *zeros;
  return readPair(mul);
}

/// An element of a constant table of 256 entries.
bool Reader::readLookup(mlir::linalg::GenericOp generic) {
  kernel.kind = KernelKind::Lookup;
  Value table = tableLookedUp(generic);
  if (!table || !isPointwise(generic) || !readConstant(table, kernel.table, "table entries") ||
      kernel.table.size() != 256)
    return fail("its elementwise computation is no lookup of x + 128 in a table of 256 entries");
  setShapes(generic.getInputs()[0], generic.getResult(0));
  return readInput(generic.getInputs()[0], false);
}

/// Arguments copied to slices of one tensor that lie one behind the other in its last dimension.
bool Reader::readConcat(mlir::tensor::InsertSliceOp last) {
  kernel.kind = KernelKind::Concat;
  setShapes(last.getResult(), last.getResult());
  int64_t end = kernel.window.c;
  std::vector<mlir::tensor::InsertSliceOp> slices;
  for (mlir::tensor::InsertSliceOp op = last; op;
       op = op.getDest().getDefiningOp<mlir::tensor::InsertSliceOp>())
    slices.insert(slices.begin(), op);
  int64_t at = 0;
  for (mlir::tensor::InsertSliceOp slice : slices) {
    auto copy = slice.getSource().getDefiningOp<mlir::linalg::CopyOp>();
    const auto offsets = slice.getStaticOffsets(), strides = slice.getStaticStrides();
    const bool isPlain = !offsets.empty() &&
                         llvm::all_of(offsets.drop_back(), [](int64_t offset) { return offset == 0; }) &&
                         llvm::all_of(strides, [](int64_t stride) { return stride == 1; }) &&
                         shapeOf(slice.getSource()).size() == offsets.size();
    if (!copy || !isPlain || offsets.back() != at ||
        shapeOf(slice.getSource()).drop_back() != shapeOf(last.getResult()).drop_back())
      return fail("concatenates along another dimension than channels");
    kernel.parts.push_back(shapeOf(slice.getSource()).back());
    at += kernel.parts.back();
    if (!computes(copy, yieldsFirst(copy) && isPointwise(copy)) || !readInput(copy.getInputs()[0], false))
      return false;
  }
  return at == end || fail("its slices do not fill its result");
}

/// Each row and each column several times.
bool Reader::readRepeat(mlir::tensor::CollapseShapeOp joined) {
  auto generic = joined.getSrc().getDefiningOp<mlir::linalg::GenericOp>();
  const bool copies = generic && generic.getNumLoops() == 6 && generic.getNumDpsInputs() == 1 &&
                      shapeOf(generic.getResult(0)).size() == 6 && yieldsFirst(generic);
  if (!copies)
    return fail("it joins dimensions of something else than repeated rows and columns");
  if (!hasForm(generic, {loops({0, 1, 3, 5}), loops({0, 1, 2, 3, 4, 5})}))
    return false;
  kernel.kind = KernelKind::Move;
  Value x = generic.getInputs()[0];
  setShapes(x, x);
  kernel.repeatH = shapeOf(generic.getResult(0))[2];
  kernel.repeatW = shapeOf(generic.getResult(0))[4];
  return readInput(x, false);
}

} // namespace daedalus::accelerator
