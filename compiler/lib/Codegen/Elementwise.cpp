// On tensors: operations that compute element by element joined.

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::codegen {

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

} // namespace daedalus::codegen
