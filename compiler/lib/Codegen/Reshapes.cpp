// On tensors: operations that compute element by element, done before a reshape instead of behind it. Then
// nothing stands between them and the sum whose tiles they are computed in.

#include "daedalus/Codegen/Codegen.h"

#include "daedalus/Dialect/Shapes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::codegen {
namespace {

bool isElementwise(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() && op.getNumResults() == 1 &&
         op.getIndexingMapsArray().back().isIdentity();
}

bool readsReshape(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    auto reshape = input.getDefiningOp<tensor::ExpandShapeOp>();
    return reshape && reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
  });
}

/// An operand's place 0 along a dimension of 1, where the result has one iteration too, is that iteration.
void nameUnitLoops(linalg::GenericOp op) {
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value operand : op->getOperands())
    shapes.push_back(shapeOf(operand));
  for (auto [at, map] : llvm::enumerate(maps)) {
    if (map.getNumResults() != op.getNumLoops())
      continue;
    SmallVector<AffineExpr> results(map.getResults());
    for (auto [loop, result] : llvm::enumerate(results))
      if (sizes[loop] == 1 && shapes[at][loop] == 1 && result == getAffineConstantExpr(0, op.getContext()))
        result = getAffineDimExpr(loop, op.getContext());
    map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

} // namespace

void computeBeforeReshapes(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  bool isAny = false;
  kernel.walk([&](linalg::GenericOp op) {
    if (!isElementwise(op))
      return;
    nameUnitLoops(op);
    ops.push_back(op);
    isAny |= readsReshape(op);
  });
  if (!isAny)
    return;
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, [](OpOperand *operand) {
    auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
    return reader && isElementwise(reader) && readsReshape(reader) && operand->get().hasOneUse();
  });
  tensor::populateFoldTensorEmptyPatterns(patterns);
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingAndNewOps;
  (void)applyOpPatternsAndFold(ops, std::move(patterns), config);
  kernel.walk<WalkOrder::PostOrder, ReverseIterator>([](tensor::ExpandShapeOp reshape) {
    if (reshape.use_empty())
      reshape.erase(); // a second reader would keep what it reads out of tiles
  });
}

} // namespace daedalus::codegen
