// Tensors to buffers in one shot.

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

/// Whether a copy's source is its target: the same part of a buffer, perhaps in other shapes.
bool isSame(Value source, Value target) {
  for (Value *buffer : {&source, &target})
    while (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(buffer->getDefiningOp()))
      *buffer = buffer->getDefiningOp()->getOperand(0);
  auto from = source.getDefiningOp<memref::SubViewOp>(), to = target.getDefiningOp<memref::SubViewOp>();
  return source == target ||
         (from && to &&
          OperationEquivalence::isEquivalentTo(from, to, OperationEquivalence::IgnoreLocations));
}

/// Loops and conditions that give back the buffers they write have no results.
void dropResults(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (llvm::isa<scf::ForOp, scf::IfOp>(op) && op->getNumResults() > 0)
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

} // namespace

LogicalResult bufferize(func::FuncOp kernel) {
  bufferization::OneShotBufferizationOptions options;
  options.setFunctionBoundaryTypeConversion(bufferization::LayoutMapOption::IdentityLayoutMap);
  if (failed(bufferization::runOneShotBufferize(kernel, options)))
    return failure();
  dropResults(kernel);
  IRRewriter rewriter(kernel.getContext());
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp op : copies) {
    rewriter.setInsertionPoint(op);
    if (!isSame(op.getSource(), op.getTarget()))
      linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(), op.getTarget());
    rewriter.eraseOp(op);
  }
  return success();
}

} // namespace daedalus::codegen
