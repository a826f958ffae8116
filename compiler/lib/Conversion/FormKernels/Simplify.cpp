// See Simplify.h.

#include "daedalus/Conversion/FormKernels/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus {
namespace {

constexpr int64_t mostIterations = 1024;

std::optional<int64_t> iterationsOf(scf::ForOp loop) {
  return constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
}

/// A loop that only passes values on, which MLIR leaves as it is.
void passOn(scf::ForOp loop, int64_t iterations) {
  OpBuilder builder(loop);
  SmallVector<Value> values(loop.getInitArgs());
  const int64_t lower = *getConstantIntValue(loop.getLowerBound()),
                step = *getConstantIntValue(loop.getStep());
  for (int64_t k = 0; k < iterations; ++k) {
    IRMapping now;
    now.map(loop.getRegionIterArgs(), values);
    if (!loop.getInductionVar().use_empty())
      now.map(loop.getInductionVar(),
              builder.create<arith::ConstantOp>(
                  loop.getLoc(), builder.getIntegerAttr(loop.getInductionVar().getType(), lower + k * step)));
    for (auto [value, yielded] : llvm::zip(values, loop.getBody()->getTerminator()->getOperands()))
      value = now.lookupOrDefault(yielded);
  }
  loop.replaceAllUsesWith(values);
  loop.erase();
}

/// The innermost first.
LogicalResult unrollLoops(func::FuncOp main) {
  SmallVector<scf::ForOp> loops;
  main.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    const std::optional<int64_t> iterations = iterationsOf(loop);
    if (!iterations || *iterations > mostIterations)
      return loop.emitError("is a loop of ")
             << (iterations ? std::to_string(*iterations) : "an unknown number of")
             << " iterations; expected constant bounds and at most " << mostIterations;
    if (*iterations > 0 && llvm::hasSingleElement(*loop.getBody()))
      passOn(loop, *iterations);
    else if (*iterations > 0 && failed(loopUnrollByFactor(loop, *iterations)))
      return loop.emitError("cannot be unrolled");
  }
  return success();
}

LogicalResult decompose(func::FuncOp main) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  main.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  for (linalg::AggregatedOpInterface op : ops) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (failed(results))
      return op->emitError("has no decomposition into structured operations");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
  return success();
}

} // namespace

LogicalResult simplifyProgram(func::FuncOp main) {
  if (failed(unrollLoops(main)) || failed(decompose(main)))
    return failure();
  RewritePatternSet patterns(main.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  for (auto name : main.getContext()->getRegisteredOperations())
    if (name.getDialectNamespace() == "scf" || name.getDialectNamespace() == "tensor")
      name.getCanonicalizationPatterns(patterns, main.getContext());
  return applyPatternsAndFoldGreedily(main, std::move(patterns));
}

} // namespace daedalus
