// What no threads can share.

#include "Transforms.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

LogicalResult toLoops(Operation *op) {
  SmallVector<linalg::LinalgOp> ops;
  op->walk([&](linalg::LinalgOp linalg) { ops.push_back(linalg); });
  for (linalg::LinalgOp linalg : ops) {
    IRRewriter rewriter(linalg);
    if (failed(linalg::linalgOpToLoops(rewriter, linalg)))
      return linalg->emitError() << "cannot be lowered to loops for the GPU";
    rewriter.eraseOp(linalg);
  }
  return success();
}

} // namespace

LogicalResult launchSerially(ArrayRef<Operation *> ops, gpu::GPUModuleOp device, StringRef name,
                             OpBuilder &b) {
  Operation *last = ops.back();
  b.setInsertionPointAfter(last);
  DeviceFunction f(device, name, b, last->getLoc(), 1, 1);
  for (Operation *op : ops) {
    f.take(op);
    if (failed(toLoops(f.b.clone(*op, f.values))))
      return failure();
  }
  f.finish();
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return success();
}

} // namespace daedalus::cuda
