// Run-time checks: their outcome is what a kernel returns.

#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace daedalus::cpu {

/// 1 where not all of what these demand holds, else 0; they end.
static Value statusOf(OpBuilder &builder, Location loc, ArrayRef<cf::AssertOp> asserts) {
  Value good = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  for (cf::AssertOp op : asserts) {
    good = builder.create<arith::AndIOp>(loc, good, op.getArg());
    op.erase();
  }
  Value yes = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
  return builder.create<arith::ExtUIOp>(loc, builder.getI32Type(),
                                        builder.create<arith::XOrIOp>(loc, good, yes));
}

void returnStatus(func::FuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  SmallVector<cf::AssertOp> ofShapes, ofIndices;
  kernel.walk([&](cf::AssertOp op) { (op.getMsg() == "indices" ? ofIndices : ofShapes).push_back(op); });
  Operation *end = kernel.getBody().back().getTerminator();
  builder.setInsertionPoint(end);
  Location loc = kernel.getLoc();
  Value status = statusOf(builder, loc, ofShapes);
  if (!ofIndices.empty()) {
    Value one = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(1));
    Value outside = builder.create<arith::ShLIOp>(loc, statusOf(builder, loc, ofIndices), one);
    status = builder.create<arith::OrIOp>(loc, status, outside);
  }
  builder.create<func::ReturnOp>(loc, status);
  end->erase();
  kernel.setFunctionType(builder.getFunctionType(kernel.getArgumentTypes(), builder.getI32Type()));
}

} // namespace daedalus::cpu
