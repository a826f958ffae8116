// See Fuse.h: what only moves or compares elements takes quantized ones.

#include "Functions.h"
#include "Fuse.h"
#include "Patterns.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;

/// The operation on the quantized operand; the dequantization follows it.
template <class Op> struct MoveDequantize : CountedPattern<Op> {
  using CountedPattern<Op>::CountedPattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Value quantized = dequantizedActivation(op->getOperand(0));
    if (!quantized)
      return rewriter.notifyMatchFailure(op, "no dequantized operand");
    auto real = tensorType(op->getResult(0));
    Operation *moved = rewriter.clone(*op);
    moved->setOperand(0, quantized);
    moved->getResult(0).setType(real.clone(tensorType(quantized).getElementType()));
    rewriter.replaceOp(
        op, rewriter.create<quant::DequantizeCastOp>(op->getOperand(0).getLoc(), real, moved->getResult(0)));
    return this->done();
  }
};

/// A call of a function that only moves elements of its first operand.
struct MoveCall : CountedPattern<func::CallOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(func::CallOp op, PatternRewriter &rewriter) const override {
    Value quantized =
        op.getNumOperands() && op.getNumResults() == 1 ? dequantizedActivation(op.getOperand(0)) : Value();
    auto callee = quantized && !op.use_empty() ? calleeOf(op) : nullptr;
    if (!callee)
      return rewriter.notifyMatchFailure(op, "no dequantized operand");
    const Type element = tensorType(quantized).getElementType();
    func::FuncOp moved = retyped(callee, rewriter.getI8Type(), [&](double x) {
      return quantizeValue(static_cast<float>(x), cast<UniformType>(element));
    });
    if (!moved)
      return rewriter.notifyMatchFailure(op, "does more than to move elements");
    auto module = op->getParentOfType<ModuleOp>();
    SymbolTable(module).insert(moved);
    SmallVector<Value> operands(op.getOperands());
    operands[0] = rewriter.create<quant::StorageCastOp>(
        op.getLoc(), tensorType(quantized).clone(Type(rewriter.getI8Type())), quantized);
    Value bytes = rewriter.create<func::CallOp>(op.getLoc(), moved, operands).getResult(0);
    bytes = rewriter.create<quant::StorageCastOp>(op.getLoc(), tensorType(bytes).clone(element), bytes);
    rewriter.replaceOpWithNewOp<quant::DequantizeCastOp>(op, op.getResult(0).getType(), bytes);
    return done();
  }
};

} // namespace

void addMoves(RewritePatternSet &patterns, uint64_t &count) {
  patterns
      .add<MoveDequantize<MaxPoolOp>, MoveDequantize<UpsampleOp>, MoveDequantize<tosa::ReshapeOp>, MoveCall>(
          patterns.getContext(), count);
}

} // namespace daedalus::qnn
