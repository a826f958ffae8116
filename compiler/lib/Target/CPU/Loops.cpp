// On tensors: operations that compute element by element joined, and the order of an operation's loops.

#include "Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

bool isFloat(linalg::LinalgOp op) {
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

/// The loops of a float's reduction in an order that vectorizes, or nothing where they are: the parallel ones
/// as the output has them, the last of them inside of the reduction. So a vector of accumulators takes each
/// step of the reduction, whose additions stay in their order. Not where an operand would be read across its
/// rows.
std::optional<SmallVector<unsigned>> vectorOrder(linalg::LinalgOp op) {
  const AffineMap output = op.getIndexingMapsArray().back();
  if (op.getNumReductionLoops() == 0 || output.getNumResults() == 0 || !output.isProjectedPermutation() ||
      !isFloat(op))
    return std::nullopt;
  const unsigned inner = output.getDimPosition(output.getNumResults() - 1);
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() > 0 && map.isFunctionOfDim(inner) &&
        !map.getResults().back().isFunctionOfDim(inner))
      return std::nullopt;
  }
  SmallVector<unsigned> order, reductions;
  op.getReductionDims(reductions);
  for (AffineExpr loop : output.getResults().drop_back())
    order.push_back(cast<AffineDimExpr>(loop).getPosition());
  order.append(reductions);
  order.push_back(inner);
  return order;
}

} // namespace

void fuseElementwise(func::FuncOp kernel) {
  const auto isParallel = [](Operation *op) {
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    return generic && generic.getNumParallelLoops() == generic.getNumLoops();
  };
  const auto isSplat = [](Value value) {
    DenseElementsAttr constant;
    return matchPattern(value, m_Constant(&constant)) && constant.isSplat();
  };
  bool isFused = false;
  SmallVector<Operation *> ops;
  kernel.walk([&](linalg::GenericOp op) {
    if (!isParallel(op))
      return;
    ops.push_back(op);
    isFused |= llvm::any_of(op.getDpsInputs(),
                            [&](Value input) { return isSplat(input) || isParallel(input.getDefiningOp()); });
  });
  if (!isFused)
    return;
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return isParallel(producer) && isParallel(operand->getOwner()) && operand->get().hasOneUse();
  });
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingAndNewOps; // not of sums, whose weights stay constants
  (void)applyOpPatternsAndFold(ops, std::move(patterns), config);
}

LogicalResult orderLoops(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    const auto order = Contraction::of(op) ? std::nullopt : vectorOrder(op);
    if (!order || order->size() != op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        continue;
      generic = *generalized;
    }
    if (failed(linalg::interchangeGenericOp(rewriter, generic, *order)))
      return generic.emitError() << "cannot be reordered for the CPU";
  }
  return success();
}

} // namespace daedalus::cpu
