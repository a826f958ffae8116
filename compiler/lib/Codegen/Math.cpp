// Mathematical functions in terms of arithmetic.

#include "daedalus/Codegen/Codegen.h"

#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::codegen {

LogicalResult expandMath(func::FuncOp kernel) {
  bool any = false;
  kernel.walk([&](Operation *op) { any |= isa<math::MathDialect>(op->getDialect()); });
  if (!any)
    return success();
  RewritePatternSet patterns(kernel.getContext());
  populateArcFunctions(patterns);
  populateExponential(patterns);
  populateExpandTanPattern(patterns);
  populateExpandCoshPattern(patterns);
  populateMathPolynomialApproximationPatterns(patterns, {});
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

} // namespace daedalus::codegen
