// On tensors: operations that compute element by element joined.

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::codegen {

namespace {

bool isParallel(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && generic.getNumParallelLoops() == generic.getNumLoops();
}

bool isSplat(Value value) {
  DenseElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat();
}

/// Those that compute element by element; none where none of them can join another one.
SmallVector<Operation *> parallelOps(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  bool isFused = false;
  kernel.walk([&](linalg::GenericOp op) {
    if (!isParallel(op))
      return;
    ops.push_back(op);
    isFused |= llvm::any_of(op.getDpsInputs(),
                            [&](Value input) { return isSplat(input) || isParallel(input.getDefiningOp()); });
  });
  return isFused ? ops : SmallVector<Operation *>();
}

} // namespace

/// What was joined lies there with its operands until all patterns have been applied, which are read once
/// only then: so several times.
void fuseElementwise(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return isParallel(producer) && isParallel(operand->getOwner()) && operand->get().hasOneUse();
  });
  const FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingAndNewOps; // not of sums, whose weights stay constants
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    if (const SmallVector<Operation *> ops = parallelOps(kernel); !ops.empty())
      (void)applyOpPatternsAndFold(ops, frozen, config, &isChanged);
  }
}

} // namespace daedalus::codegen
