// See Access.h.

#include "Access.h"

#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace daedalus {
namespace {

using mlir::tensor::CollapseShapeOp;
using mlir::tensor::ExpandShapeOp;
using mlir::tensor::ExtractSliceOp;
using mlir::tensor::PadOp;

/// Coordinates of the tensor that is padded; false where what lies outside is not one constant.
bool seeThroughPad(Access &access, PadOp pad) {
  llvm::APInt constant;
  mlir::Value fill = pad.getConstantPaddingValue();
  if (access.fill || !fill || !mlir::matchPattern(fill, mlir::m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 64)
    return false;
  for (int64_t size : llvm::concat<const int64_t>(pad.getStaticLow(), pad.getStaticHigh()))
    if (size < 0) // or not known before it runs
      return false;
  for (auto [coordinate, low] : llvm::zip(access.at, pad.getStaticLow()))
    coordinate.offset -= low;
  access.fill = constant.getSExtValue();
  return true;
}

/// Coordinates of the tensor with fewer dimensions.
void seeThroughExpansion(Access &access, ExpandShapeOp expansion) {
  llvm::SmallVector<Coordinate, 5> at;
  for (const auto &group : expansion.getReassociationIndices()) {
    Coordinate sum{llvm::SmallVector<int64_t, 6>(access.at[group[0]].factors.size(), 0)};
    for (int64_t d : group) {
      for (auto [total, factor] : llvm::zip(sum.factors, access.at[d].factors))
        total = total * access.shape[d] + factor;
      sum.offset = sum.offset * access.shape[d] + access.at[d].offset;
    }
    at.push_back(std::move(sum));
  }
  access.at = std::move(at);
}

/// Coordinates of the tensor that is sliced.
bool seeThroughSlice(Access &access, ExtractSliceOp slice) {
  const auto isKnown = [](int64_t number) { return number >= 0; }; // ShapedType::kDynamic is less
  if (access.fill || slice.getSourceType().getRank() != slice.getType().getRank() ||
      !llvm::all_of(slice.getStaticOffsets(), isKnown) || !llvm::all_of(slice.getStaticStrides(), isKnown))
    return false;
  for (auto [coordinate, offset, stride] :
       llvm::zip(access.at, slice.getStaticOffsets(), slice.getStaticStrides())) {
    for (int64_t &factor : coordinate.factors)
      factor *= stride;
    coordinate.offset = coordinate.offset * stride + offset;
  }
  return true;
}

} // namespace

void seeThrough(Access &access, bool slices) {
  while (mlir::Operation *op = access.tensor.getDefiningOp()) {
    if (!mlir::isa<PadOp, ExpandShapeOp, CollapseShapeOp>(op) && !(slices && mlir::isa<ExtractSliceOp>(op)))
      return;
    const mlir::Value source = op->getOperand(0);
    if (mlir::ShapedType::isDynamicShape(shapeOf(source)))
      return;
    const bool isItsShape = llvm::ArrayRef<int64_t>(access.shape) == shapeOf(access.tensor);
    if (auto pad = mlir::dyn_cast<PadOp>(op)) {
      if (!isItsShape || !seeThroughPad(access, pad))
        return;
    } else if (auto slice = mlir::dyn_cast<ExtractSliceOp>(op)) {
      if (!isItsShape || !seeThroughSlice(access, slice))
        return;
    } else if (access.fill) {
      return; // what lies outside would be something else
    } else if (auto expansion = mlir::dyn_cast<ExpandShapeOp>(op); expansion && isItsShape) {
      if (expansion.getReassociationIndices().empty()) // of a tensor without dimensions
        return;
      seeThroughExpansion(access, expansion);
    } else {
      access.tensor = source; // the same elements in the same order
      continue;
    }
    access.tensor = source;
    access.shape.assign(shapeOf(source).begin(), shapeOf(source).end());
  }
}

bool isSame(const Access &a, const Access &b) {
  return a.tensor == b.tensor && a.shape == b.shape && a.at == b.at && a.fill == b.fill;
}

Access composed(const Access &access, llvm::ArrayRef<const Coordinate *> places, size_t iterators) {
  Access result = access;
  for (Coordinate &coordinate : result.at) {
    Coordinate sum{llvm::SmallVector<int64_t, 6>(iterators, 0), coordinate.offset};
    for (auto [factor, place] : llvm::zip(coordinate.factors, places)) {
      if (!place) // an iterator that the output does not move along has one iteration
        continue;
      sum.offset += factor * place->offset;
      for (size_t k = 0; k < iterators; ++k)
        sum.factors[k] += factor * place->factors[k];
    }
    coordinate = std::move(sum);
  }
  return result;
}

} // namespace daedalus
