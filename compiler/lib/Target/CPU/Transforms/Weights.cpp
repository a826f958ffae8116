// See Weights.h.

#include "Weights.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace daedalus::cpu {

/// What slices that hold all of a tensor are slices of.
static Value wholeOf(Value value) {
  for (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
       slice && slice.getType() == slice.getSourceType();
       slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return value;
}

bool isMultipleOf(OpFoldResult index, int64_t factor) {
  if (const std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant % factor == 0;
  auto place = dyn_cast<BlockArgument>(cast<Value>(index));
  auto loop = place ? dyn_cast<LoopLikeOpInterface>(place.getOwner()->getParentOp()) : nullptr;
  const auto places = loop ? loop.getLoopInductionVars() : std::nullopt;
  const auto first = loop ? loop.getLoopLowerBounds() : std::nullopt;
  const auto steps = loop ? loop.getLoopSteps() : std::nullopt;
  if (!places || !first || !steps)
    return false;
  const auto isMultiple = [&](OpFoldResult value) {
    const std::optional<int64_t> constant = getConstantIntValue(value);
    return constant && *constant % factor == 0;
  };
  for (auto [i, of] : llvm::enumerate(*places))
    if (of == place)
      return isMultiple((*first)[i]) && isMultiple((*steps)[i]);
  return false;
}

std::optional<Weights> Weights::of(const Contraction &c) {
  Weights weights;
  if (!c.vectorMap().isProjectedPermutation())
    return std::nullopt;
  if (matchPattern(wholeOf(c.vectors->get()), m_Constant(&weights.values)))
    return weights;
  auto slice = c.vectors->get().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() || !matchPattern(slice.getSource(), m_Constant(&weights.values)) ||
      slice.getType().getRank() != weights.values.getType().getRank())
    return std::nullopt;
  for (auto [i, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    if (c.vectorMap().getDimPosition(i) == c.inner)
      weights.firstColumn = offset;
    else if (slice.getType().getDimSize(i) != weights.values.getType().getDimSize(i))
      return std::nullopt;
  }
  return weights.firstColumn ? std::optional(weights) : std::nullopt;
}

Value partOf(DenseElementsAttr values, unsigned dimension, OpFoldResult first, int64_t size, OpBuilder &b,
             Location loc) {
  const auto type = cast<RankedTensorType>(values.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      ones(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> extents = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  offsets[dimension] = first;
  extents[dimension] = b.getIndexAttr(size);
  Value all = b.create<arith::ConstantOp>(loc, values);
  return b.create<tensor::ExtractSliceOp>(loc, all, offsets, extents, ones);
}

SmallVector<int64_t> stridesOf(const Contraction &c, DenseElementsAttr weights) {
  SmallVector<int64_t> strides(c.op.getNumLoops(), 0);
  int64_t step = 1;
  for (int i = weights.getType().getRank() - 1; i >= 0; --i) {
    strides[c.vectorMap().getDimPosition(i)] = step;
    step *= weights.getType().getDimSize(i);
  }
  return strides;
}

DenseElementsAttr rearranged(DenseElementsAttr weights, ArrayRef<Axis> axes, int64_t columns) {
  SmallVector<int64_t> shape;
  for (const Axis &axis : axes)
    shape.push_back(axis.size);
  const int64_t bytes = weights.getElementType().getIntOrFloatBitWidth() / 8;
  std::vector<char> data(ShapedType::getNumElements(shape) * bytes, 0);
  const char *from = weights.getRawData().data();
  SmallVector<int64_t> at(axes.size(), 0);
  int64_t element = 0, column = 0;
  for (char *to = data.data(); to != data.data() + data.size(); to += bytes) {
    if (column < columns)
      std::copy_n(from + (weights.isSplat() ? 0 : element * bytes), bytes, to);
    for (int i = axes.size() - 1; i >= 0; --i) {
      element += axes[i].step;
      column += axes[i].columns;
      if (++at[i] < axes[i].size)
        break;
      element -= axes[i].size * axes[i].step;
      column -= axes[i].size * axes[i].columns;
      at[i] = 0;
    }
  }
  return DenseElementsAttr::getFromRawBuffer(RankedTensorType::get(shape, weights.getElementType()), data);
}

} // namespace daedalus::cpu
