// Tensors to buffers in one shot.

#include "Transforms.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Loops and conditions that give back the buffers they write have no results.
void dropResults(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) && op->getNumResults() > 0)
      ops.push_back(op);
  });
  RewritePatternSet patterns(kernel.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingAndNewOps;
  if (!ops.empty())
    (void)applyOpPatternsAndFold(ops, std::move(patterns), config);
}

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

/// Whether two buffers are all of one, perhaps in other shapes.
bool isSameMemory(Value a, Value b) {
  const auto whole = [](Value value) {
    while (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value;
  };
  return whole(a) == whole(b);
}

/// What several operations begin with is filled for each of them: no memory keeps it between them.
void fillForEach(func::FuncOp kernel) {
  SmallVector<linalg::FillOp> fills;
  kernel.walk([&](linalg::FillOp op) {
    if (op.hasPureTensorSemantics())
      fills.push_back(op);
  });
  for (linalg::FillOp op : fills)
    while (!op->getResult(0).use_empty() && !op->getResult(0).hasOneUse()) {
      OpOperand &use = *op->getResult(0).use_begin();
      OpBuilder b(use.getOwner());
      use.set(b.clone(*op)->getResult(0));
    }
}

} // namespace

LogicalResult bufferize(func::FuncOp kernel) {
  fillForEach(kernel);
  bufferization::OneShotBufferizationOptions options;
  options.setFunctionBoundaryTypeConversion(bufferization::LayoutMapOption::IdentityLayoutMap);
  if (failed(bufferization::runOneShotBufferize(kernel, options)))
    return kernel.emitError() << "cannot be bufferized for the GPU";
  dropResults(kernel);
  IRRewriter rewriter(kernel.getContext());
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp op : copies) {
    rewriter.setInsertionPoint(op);
    if (!isSameMemory(op.getSource(), op.getTarget()))
      linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(), op.getTarget());
    rewriter.eraseOp(op);
  }
  return hoistAllocations(kernel);
}

} // namespace daedalus::cuda
