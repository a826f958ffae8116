// Operations on floats that processors have no one instruction for.

#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cpu {

void expandFma(func::FuncOp kernel) {
  kernel.walk([](math::FmaOp op) {
    OpBuilder b(op);
    Value product = b.create<arith::MulFOp>(op.getLoc(), op.getA(), op.getB());
    op.replaceAllUsesWith(b.create<arith::AddFOp>(op.getLoc(), product, op.getC()).getResult());
    op.erase();
  });
}

/// `x` where it is a NaN, or more (less) than `y`; else `y`. The selection by an ordered comparison is maxps
/// (minps), which gives `y` where either is a NaN. Of what waits for an earlier result, `y`, one instruction
/// and the selection are on the way to the next one.
template <class Op> static void expandExtreme(Op op, arith::CmpFPredicate predicate) {
  OpBuilder b(op);
  const Location loc = op.getLoc();
  Value x = op.getLhs(), y = op.getRhs();
  if (y.getDefiningOp<vector::LoadOp>())
    std::swap(x, y);
  Value extreme =
      b.create<arith::SelectOp>(loc, b.create<arith::CmpFOp>(loc, predicate, x, y).getResult(), x, y);
  Value isNan = b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, x, x);
  op.replaceAllUsesWith(b.create<arith::SelectOp>(loc, isNan, x, extreme).getResult());
  op.erase();
}

/// LLVM has no code for it where floats are computed by functions.
template <class Op> static void expandReduction(vector::ReductionOp op) {
  OpBuilder b(op);
  Value result = op.getAcc();
  for (int64_t lane = 0; lane < op.getSourceVectorType().getNumElements(); ++lane) {
    Value element = b.create<vector::ExtractOp>(op.getLoc(), op.getVector(), lane);
    result = result ? b.create<Op>(op.getLoc(), result, element).getResult() : element;
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

void expandReductionsOfExtremes(func::FuncOp kernel) {
  kernel.walk([](vector::ReductionOp op) {
    if (op.getKind() == vector::CombiningKind::MAXIMUMF)
      expandReduction<arith::MaximumFOp>(op);
    else if (op.getKind() == vector::CombiningKind::MINIMUMF)
      expandReduction<arith::MinimumFOp>(op);
  });
}

void expandExtremes(func::FuncOp kernel) {
  kernel.walk([](arith::MaximumFOp op) { expandExtreme(op, arith::CmpFPredicate::OGT); });
  kernel.walk([](arith::MinimumFOp op) { expandExtreme(op, arith::CmpFPredicate::OLT); });
}

} // namespace daedalus::cpu
