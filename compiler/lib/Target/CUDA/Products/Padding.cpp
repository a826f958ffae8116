// See Padding.h.

#include "Padding.h"

#include "Transforms/Transforms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Of a whole image with known extents, to a part of the buffer that has as many dimensions.
bool isCopyOfImage(linalg::LinalgOp op, Value buffer) {
  if (!op || op->getNumResults() != 0 || !linalg::isaCopyOpInterface(op) ||
      op.getBlock()->getTerminator()->getOperand(0) != op.getBlock()->getArgument(0))
    return false;
  auto image = dyn_cast<MemRefType>(op.getDpsInputs()[0].getType());
  auto place = op.getDpsInits()[0].getDefiningOp<memref::SubViewOp>();
  return image && image.hasStaticShape() && image.getLayout().isIdentity() && place &&
         place.getSource() == buffer && place.hasUnitStride() && place.getDroppedDims().none() &&
         llvm::none_of(place.getStaticOffsets(), ShapedType::isDynamic);
}

/// Takes an operation that writes the buffer or a part of it; false of others.
bool addWriter(Padding &padding, Operation *op, Value buffer) {
  padding.writers.push_back(op);
  auto fill = dyn_cast<linalg::FillOp>(op);
  if (!fill) {
    const bool isFirst = !padding.copy;
    padding.copy = dyn_cast<linalg::LinalgOp>(op);
    return isFirst && isCopyOfImage(padding.copy, buffer);
  }
  TypedAttr constant;
  if (!matchPattern(fill.getInputs()[0], m_Constant(&constant)))
    return false;
  const bool isSame = !padding.constant || padding.constant == constant;
  padding.constant = constant;
  return isSame;
}

/// Whether anything behind an operation writes to memory of which a buffer is a part.
bool isWrittenBehind(Operation *op, Value buffer) {
  const auto isWritten = [&](MemoryEffectOpInterface nested) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    nested.getEffects(effects);
    const bool writes = llvm::any_of(effects, [&](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect()) &&
             (!effect.getValue() || bufferOf(effect.getValue()) == bufferOf(buffer));
    });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  };
  while ((op = op->getNextNode()))
    if (op->walk(isWritten).wasInterrupted())
      return true;
  return false;
}

/// Whether the constants are there first, then the image, which stays as it is.
bool isInOrder(Padding &padding, Operation *reader) {
  const auto isBefore = [](Operation *op, Operation *other) {
    return op == other || (op->getBlock() == other->getBlock() && op->isBeforeInBlock(other));
  };
  return padding.constant && padding.copy && isBefore(padding.copy, reader) &&
         llvm::all_of(padding.writers, [&](Operation *op) { return isBefore(op, padding.copy); }) &&
         !isWrittenBehind(padding.copy, padding.image());
}

} // namespace

Value Padding::image() const {
  return copy.getDpsInputs()[0];
}
memref::SubViewOp Padding::place() const {
  return copy.getDpsInits()[0].getDefiningOp<memref::SubViewOp>();
}

std::optional<Padding> paddingOf(const Factor &factor) {
  const Value buffer = factor.operand->get();
  if (!buffer.getDefiningOp<memref::AllocOp>())
    return std::nullopt;
  Padding padding;
  for (OpOperand &use : buffer.getUses()) {
    if (&use == factor.operand)
      continue;
    SmallVector<Operation *> writers = {use.getOwner()};
    if (auto part = dyn_cast<memref::SubViewOp>(use.getOwner()))
      writers.assign(part->user_begin(), part->user_end());
    if (!llvm::all_of(writers, [&](Operation *op) { return addWriter(padding, op, buffer); }))
      return std::nullopt;
  }
  return isInOrder(padding, factor.operand->getOwner()) ? std::optional<Padding>(padding) : std::nullopt;
}

SmallVector<int64_t> stepsAlong(AffineMap map, unsigned dimension) {
  SmallVector<int64_t> at(map.getNumDims(), 0), steps;
  for (int64_t &loop : at) {
    loop = 1;
    steps.push_back(map.compose(at)[dimension]);
    loop = 0;
  }
  return steps;
}

namespace {

/// The factor with its image for the buffer. Its indices are linear (Product::of).
Factor ofImage(const Product &product, const Factor &factor, Padding &padding) {
  const AffineMap map = product.op.getMatchingIndexingMap(factor.operand);
  const ArrayRef<int64_t> image = cast<MemRefType>(padding.image().getType()).getShape(),
                          padded = cast<MemRefType>(factor.operand->get().getType()).getShape();
  Factor made{factor.operand, SmallVector<int64_t>(product.sizes.size(), 0), 0,
              Border{padding.image(), padding.constant, {}}};
  int64_t stride = 1;
  for (int64_t dimension = int64_t(image.size()) - 1; dimension >= 0; --dimension) {
    const int64_t before = padding.place().getStaticOffset(dimension);
    const SmallVector<int64_t> steps = stepsAlong(map, unsigned(dimension));
    for (auto [sum, step] : llvm::zip(made.strides, steps))
      sum += step * stride;
    made.first -= before * stride;
    if (padded[dimension] != image[dimension])
      made.border->sides.push_back({before, image[dimension], steps});
    stride *= image[dimension];
  }
  return made;
}

/// Whether the border is the same for all of the batch, and what is copied at once from the padded image is
/// so from the image, too.
bool isAsFast(const Product &product, const Dimension &rows, const Factor &padded, const Factor &made) {
  const int64_t elements = 16 * 8 / padded.type().getIntOrFloatBitWidth();
  const Contiguity before = contiguityOf(product, padded, rows, elements);
  return (before == Contiguity::None || before == contiguityOf(product, made, rows, elements)) &&
         llvm::none_of(product.batch.loops, [&](unsigned loop) { return made.border->dependsOn(loop); });
}

} // namespace

SmallVector<Operation *> readImages(Product &product) {
  SmallVector<Operation *> writers;
  for (auto [factor, rows] : {std::pair(&product.a, &product.m), std::pair(&product.b, &product.n)}) {
    std::optional<Padding> padding = paddingOf(*factor);
    if (!padding)
      continue;
    Factor made = ofImage(product, *factor, *padding);
    if (!isAsFast(product, *rows, *factor, made))
      continue;
    *factor = std::move(made);
    llvm::append_range(writers, padding->writers);
  }
  return writers;
}

} // namespace daedalus::cuda
