// Operations that have no loops: mathematical functions, and run-time checks.

#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace daedalus::cpu {

LogicalResult expandMath(func::FuncOp kernel) {
  bool any = false;
  kernel.walk([&](Operation *op) { any |= isa<math::MathDialect>(op->getDialect()); });
  if (!any)
    return success();
  RewritePatternSet patterns(kernel.getContext());
  populateArcFunctions(patterns);
  populateExpandTanPattern(patterns);
  populateExpandCoshPattern(patterns);
  populateMathPolynomialApproximationPatterns(patterns, {});
  return applyPatternsAndFoldGreedily(kernel, std::move(patterns));
}

void returnStatus(func::FuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  SmallVector<cf::AssertOp> asserts;
  kernel.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  Operation *end = kernel.getBody().back().getTerminator();
  builder.setInsertionPoint(end);
  Location loc = kernel.getLoc();
  Value good = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  for (cf::AssertOp op : asserts) {
    good = builder.create<arith::AndIOp>(loc, good, op.getArg());
    op.erase();
  }
  Value yes = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  Value status = builder.create<arith::ExtUIOp>(loc, builder.getI32Type(),
                                                builder.create<arith::XOrIOp>(loc, good, yes));
  builder.create<func::ReturnOp>(loc, status);
  end->erase();
  kernel.setFunctionType(builder.getFunctionType(kernel.getArgumentTypes(), builder.getI32Type()));
}

} // namespace daedalus::cpu
