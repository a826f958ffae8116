// Sums of products in one form, whatever operation they were written as.

#include "MicroKernels/Contraction.h"
#include "Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Loops of one iteration of a grouped product: its last output channel of a group, and what it adds up.
SmallVector<unsigned> unitLoops(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const AffineMap output = maps.back();
  const auto isOfGroups = [&](unsigned loop) {
    return op.getStaticLoopRanges()[loop] > 1 &&
           llvm::all_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); });
  };
  const bool hasGroups = llvm::any_of(llvm::seq(op.getNumLoops()), isOfGroups);
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    const bool isLast = hasGroups && output.getNumResults() > 1 &&
                        output.getResults().back() == getAffineDimExpr(loop, op.getContext());
    if (size == 1 && (isLast || linalg::isReductionIterator(op.getIteratorTypesArray()[loop])))
      loops.push_back(loop);
  }
  return loops;
}

/// An operation without a reduction, written as a sum: what it adds to becomes a number of its body, and its
/// destination is not read.
void startFrom(Value number, linalg::GenericOp op, IRRewriter &rewriter) {
  OpOperand *init = op.getDpsInitOperand(0);
  const auto type = cast<RankedTensorType>(init->get().getType());
  rewriter.setInsertionPoint(op);
  Value empty = rewriter.create<tensor::EmptyOp>(op.getLoc(), type.getShape(), type.getElementType());
  rewriter.modifyOpInPlace(op, [&] {
    op.getMatchingBlockArgument(init).replaceAllUsesWith(number);
    init->set(empty);
  });
}

} // namespace

void generalizeContractions(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : linalgOps(kernel)) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (std::optional<Value> value = generic ? linalg::isaFillOpInterface(generic) : std::nullopt)
      rewriter.replaceOpWithNewOp<linalg::FillOp>(op, *value, generic.getDpsInits()[0]);
    else if (!generic && Contraction::of(op))
      (void)linalg::generalizeNamedOp(rewriter, op); // what has no general form stays as it is
  }
}

bool dropUnitLoops(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::GenericOp> ops;
  kernel.walk([&](linalg::GenericOp op) {
    if (Contraction::of(op) && !unitLoops(op).empty())
      ops.push_back(op);
  });
  linalg::ControlDropUnitDims options;
  options.controlFn = [](Operation *op) { return unitLoops(cast<linalg::GenericOp>(op)); };
  bool isChanged = false;
  for (linalg::GenericOp op : ops) {
    rewriter.setInsertionPoint(op);
    isChanged |= succeeded(linalg::dropUnitDims(rewriter, op, options));
  }
  kernel.walk([&](linalg::GenericOp op) {
    auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    if (fill && op.getNumReductionLoops() == 0)
      startFrom(fill.getInputs()[0], op, rewriter);
  });
  return isChanged;
}

} // namespace daedalus::cpu
