// tensor.pad as fills of what lies around a tensor, and the tensor put between them.

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

/// Of the padded tensor; where one of a tile is cast to its shape, this.
RankedTensorType typeOf(tensor::PadOp op) {
  auto cast = op->hasOneUse() ? dyn_cast<tensor::CastOp>(*op->user_begin()) : nullptr;
  return cast && !op.getResultType().hasStaticShape() ? llvm::cast<RankedTensorType>(cast.getType())
                                                      : op.getResultType();
}

/// Where the padded tensor comes: the kernel's destination if it is stored there, else a tensor of its own.
Value placeOf(tensor::PadOp op, RankedTensorType type, OpBuilder &b) {
  auto store =
      op->hasOneUse() ? dyn_cast<bufferization::MaterializeInDestinationOp>(*op->user_begin()) : nullptr;
  if (store && isa<MemRefType>(store.getDest().getType()) && isa<BlockArgument>(store.getDest()))
    return b.create<bufferization::ToTensorOp>(op.getLoc(), type, store.getDest(), true, true);
  return b.create<tensor::EmptyOp>(op.getLoc(), type.getShape(), type.getElementType());
}

/// The padded tensor is put together of a fill of what lies around the source, part by part, and the source.
class Expansion {
public:
  explicit Expansion(tensor::PadOp pad)
      : pad(pad), type(typeOf(pad)), b(pad), low(pad.getMixedLowPad()), high(pad.getMixedHighPad()),
        inside(tensor::getMixedSizes(b, pad.getLoc(), pad.getSource())),
        all(getAsIndexOpFoldResult(b.getContext(), type.getShape())),
        strides(type.getRank(), b.getIndexAttr(1)), offsets(type.getRank(), b.getIndexAttr(0)), sizes(all),
        padded(placeOf(pad, type, b)) {}

  Value run() {
    const int rank = type.getRank();
    if (rank == 0 || hasShortRows()) {
      padded = b.create<linalg::FillOp>(pad.getLoc(), pad.getConstantPaddingValue(), padded).getResult(0);
    } else {
      for (int i = 0; i < rank; ++i)
        fillAround(i);
    }
    return b.create<tensor::InsertSliceOp>(pad.getLoc(), pad.getSource(), padded, low, inside, strides);
  }

private:
  /// Whether rows are padded that are filled at once as fast as at their ends.
  bool hasShortRows() {
    constexpr int64_t shortRow = 32;
    return type.getShape().back() < shortRow && !(isZero(low.back()) && isZero(high.back()));
  }

  static bool isZero(OpFoldResult value) { return isConstantIntValue(value, 0); }

  /// Both sides of the source along a dimension, where it lies in the ones before.
  void fillAround(int dimension) {
    fill(dimension, b.getIndexAttr(0), low[dimension]);
    const AffineExpr i = b.getAffineDimExpr(0), j = b.getAffineDimExpr(1);
    fill(dimension,
         affine::makeComposedFoldedAffineApply(b, pad.getLoc(), i + j, {low[dimension], inside[dimension]}),
         high[dimension]);
    offsets[dimension] = low[dimension];
    sizes[dimension] = inside[dimension];
  }

  void fill(int dimension, OpFoldResult from, OpFoldResult size) {
    if (isZero(size))
      return;
    SmallVector<OpFoldResult> at = offsets, extent = sizes;
    at[dimension] = from;
    extent[dimension] = size;
    Location loc = pad.getLoc();
    Value part = b.create<tensor::ExtractSliceOp>(loc, padded, at, extent, strides);
    part = b.create<linalg::FillOp>(loc, pad.getConstantPaddingValue(), part).getResult(0);
    padded = b.create<tensor::InsertSliceOp>(loc, part, padded, at, extent, strides);
  }

  tensor::PadOp pad;
  const RankedTensorType type;
  OpBuilder b;
  const SmallVector<OpFoldResult> low, high, inside, all, strides;
  SmallVector<OpFoldResult> offsets,
      sizes; ///< of the source in the dimensions that are done, of all in others
  Value padded;
};

} // namespace

void expandPad(func::FuncOp kernel) {
  kernel.walk([](tensor::PadOp op) {
    Value padded = Expansion(op).run();
    if (padded.getType() != op.getType())
      padded = OpBuilder(op).create<tensor::CastOp>(op.getLoc(), op.getType(), padded);
    op.replaceAllUsesWith(padded);
    op.erase();
  });
}

} // namespace daedalus::codegen
