// tensor.pad as what is put around a tensor, and the tensor put into it.

#include "Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Where the padded tensor comes: the kernel's destination if it is stored there, else a tensor of its own.
Value placeOf(tensor::PadOp op, OpBuilder &b) {
  RankedTensorType type = op.getResultType();
  auto store =
      op->hasOneUse() ? dyn_cast<bufferization::MaterializeInDestinationOp>(*op->user_begin()) : nullptr;
  if (store && isa<MemRefType>(store.getDest().getType()) && isa<BlockArgument>(store.getDest()))
    return b.create<bufferization::ToTensorOp>(op.getLoc(), type, store.getDest(), true, true);
  return b.create<tensor::EmptyOp>(op.getLoc(), type.getShape(), type.getElementType());
}

/// `value` in a part of a tensor.
Value fillPart(OpBuilder &b, Location loc, Value tensor, Value value, ArrayRef<OpFoldResult> offsets,
               ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  Value part = b.create<tensor::ExtractSliceOp>(loc, tensor, offsets, sizes, strides);
  part = b.create<linalg::FillOp>(loc, value, part).getResult(0);
  return b.create<tensor::InsertSliceOp>(loc, part, tensor, offsets, sizes, strides);
}

/// The edges of a padded tensor alone: of dimension d those parts that the dimensions before leave inside.
Value fillEdges(OpBuilder &b, tensor::PadOp op, Value tensor) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (int64_t size : op.getResultType().getShape()) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(b.getIndexAttr(size));
  }
  for (auto [d, size] : llvm::enumerate(op.getSourceType().getShape())) {
    const int64_t before = op.getStaticLow()[d], behind = op.getStaticHigh()[d];
    for (auto [at, count] : {std::pair(int64_t(0), before), std::pair(before + size, behind)})
      if (count > 0) {
        offsets[d] = b.getIndexAttr(at), sizes[d] = b.getIndexAttr(count);
        tensor = fillPart(b, op.getLoc(), tensor, op.getConstantPaddingValue(), offsets, sizes);
      }
    offsets[d] = b.getIndexAttr(before), sizes[d] = b.getIndexAttr(size);
  }
  return tensor;
}

} // namespace

void expandPad(func::FuncOp kernel) {
  kernel.walk([](tensor::PadOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    auto type = op.getResultType();
    Value empty = placeOf(op, b);
    const bool isBytes = type.getElementType().isInteger(8); // bytes are filled faster whole
    Value filled = isBytes ? b.create<linalg::FillOp>(loc, op.getConstantPaddingValue(), empty).getResult(0)
                           : fillEdges(b, op, empty);
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1)), sizes;
    for (int64_t size : op.getSourceType().getShape())
      sizes.push_back(b.getIndexAttr(size));
    Value result =
        b.create<tensor::InsertSliceOp>(loc, op.getSource(), filled, op.getMixedLowPad(), sizes, strides);
    op.replaceAllUsesWith(result);
    op.erase();
  });
}

} // namespace daedalus::cpu
