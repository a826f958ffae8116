// Tensors to buffers in one shot.

#include "Transforms.h"

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// What loops allocate is allocated once, in front of them.
LogicalResult hoistAllocations(func::FuncOp kernel) {
  SmallVector<memref::AllocOp> nested;
  kernel.walk([&](memref::AllocOp op) {
    if (op->getParentOp() != kernel)
      nested.push_back(op);
  });
  for (memref::AllocOp op : nested) {
    const bool isCarried =
        llvm::any_of(op->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
    if (!op.getType().hasStaticShape() || isCarried)
      return op.emitError("needs memory of ") << op.getType() << " on the GPU, which no launch can allocate";
    op->moveBefore(&kernel.getBody().front(), kernel.getBody().front().begin());
  }
  return success();
}

/// What operations begin with is filled for each of them, right before it, and kept in no memory between
/// them.
void fillForEach(func::FuncOp kernel) {
  SmallVector<linalg::FillOp> fills;
  kernel.walk([&](linalg::FillOp op) {
    if (op.hasPureTensorSemantics())
      fills.push_back(op);
  });
  for (linalg::FillOp op : fills) {
    while (!op->getResult(0).use_empty() && !op->getResult(0).hasOneUse()) {
      OpOperand &use = *op->getResult(0).use_begin();
      OpBuilder b(use.getOwner());
      use.set(b.clone(*op)->getResult(0));
    }
    if (op->getResult(0).hasOneUse() && op->getResult(0).user_begin()->getBlock() == op->getBlock())
      op->moveBefore(*op->getResult(0).user_begin());
  }
}

} // namespace

LogicalResult bufferize(func::FuncOp kernel) {
  fillForEach(kernel);
  if (failed(codegen::bufferize(kernel)))
    return kernel.emitError() << "cannot be bufferized for the GPU";
  return hoistAllocations(kernel);
}

} // namespace daedalus::cuda
