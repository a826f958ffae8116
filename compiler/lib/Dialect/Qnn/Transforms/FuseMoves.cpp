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

/// A reshape of a reshape is one, or none.
struct JoinReshapes : CountedPattern<tosa::ReshapeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(tosa::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto before = op.getInput1().getDefiningOp<tosa::ReshapeOp>();
    if (!before)
      return rewriter.notifyMatchFailure(op, "no reshape of a reshape");
    if (before.getInput1().getType() == op.getType())
      rewriter.replaceOp(op, before.getInput1());
    else
      rewriter.modifyOpInPlace(op, [&] { op.getInput1Mutable().assign(before.getInput1()); });
    return done();
  }
};

/// A quantization behind what only moves elements goes in front of it, into what gave its operand.
template <class Op> struct QuantizeMoved : CountedPattern<quant::QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto move = op.getArg().getDefiningOp<Op>();
    const Type element = tensorType(op).getElementType();
    if (!move || !isByte(element) || !isQuantizable(op.getArg()))
      return rewriter.notifyMatchFailure(op, "moves nothing that can be quantized");
    Value real = move->getOperand(0);
    Value x = rewriter.create<quant::QuantizeCastOp>(op.getLoc(), tensorType(real).clone(element), real);
    Operation *moved = rewriter.clone(*move);
    moved->setOperand(0, x);
    moved->getResult(0).setType(op.getType());
    rewriter.replaceOp(op, moved->getResult(0));
    return done();
  }
};

} // namespace

void addViews(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<JoinReshapes, MoveDequantize<tosa::ReshapeOp>, MoveDequantize<tosa::TransposeOp>>(
      patterns.getContext(), count);
}

void addMoves(RewritePatternSet &patterns, uint64_t &count) {
  addViews(patterns, count);
  patterns
      .add<MoveDequantize<MaxPoolOp>, MoveDequantize<UpsampleOp>, MoveDequantize<tosa::SliceOp>, MoveCall,
           QuantizeMoved<tosa::ReshapeOp>, QuantizeMoved<tosa::TransposeOp>, QuantizeMoved<tosa::SliceOp>>(
          patterns.getContext(), count);
}

} // namespace daedalus::qnn
