// tensor.pad as a fill, and the tensor put into it.

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

} // namespace

void expandPad(func::FuncOp kernel) {
  kernel.walk([](tensor::PadOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    auto type = op.getResultType();
    Value filled = b.create<linalg::FillOp>(loc, op.getConstantPaddingValue(), placeOf(op, b)).getResult(0);
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
