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

/// A number of a quantized type, where it is one of its values.
std::optional<int64_t> exactly(double x, UniformType type) {
  const int64_t q = quantizeValue(static_cast<float>(x), type);
  return realValue(q, type) == static_cast<float>(x) ? std::optional(q) : std::nullopt;
}

/// The function that a call calls, for elements of a quantized type; null where it does more than to move
/// elements of its first operand, or has a number beside them that is no value of the type, unless it is to
/// be rounded to one.
func::FuncOp movedFunction(func::CallOp call, UniformType type, bool rounds) {
  auto callee = call.getNumOperands() && call.getNumResults() == 1 ? calleeOf(call) : nullptr;
  if (!callee)
    return nullptr;
  return retyped(callee, IntegerType::get(call.getContext(), 8), [&](double x) {
    return rounds ? quantizeValue(static_cast<float>(x), type) : exactly(x, type);
  });
}

/// The call, with the function `moved`, of the quantized tensor and its other operands.
Value moveCall(PatternRewriter &rewriter, func::CallOp call, func::FuncOp moved, Value quantized) {
  SymbolTable(call->getParentOfType<ModuleOp>()).insert(moved);
  const Type element = tensorType(quantized).getElementType();
  SmallVector<Value> operands(call.getOperands());
  operands[0] = rewriter.create<quant::StorageCastOp>(
      call.getLoc(), tensorType(quantized).clone(Type(rewriter.getI8Type())), quantized);
  Value bytes = rewriter.create<func::CallOp>(call.getLoc(), moved, operands).getResult(0);
  return rewriter.create<quant::StorageCastOp>(call.getLoc(), tensorType(bytes).clone(element), bytes);
}

/// A call of a function that only moves elements of its first operand, and numbers that this one's type
/// holds.
struct MoveCall : CountedPattern<func::CallOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(func::CallOp op, PatternRewriter &rewriter) const override {
    Value quantized =
        op.getNumOperands() && !op.use_empty() ? dequantizedActivation(op.getOperand(0)) : Value();
    if (!quantized)
      return rewriter.notifyMatchFailure(op, "no dequantized operand");
    func::FuncOp moved = movedFunction(op, cast<UniformType>(tensorType(quantized).getElementType()), false);
    if (!moved)
      return rewriter.notifyMatchFailure(op, "does more than to move elements");
    Value bytes = moveCall(rewriter, op, moved, quantized);
    rewriter.replaceOpWithNewOp<quant::DequantizeCastOp>(op, op.getResult(0).getType(), bytes);
    return done();
  }
};

/// A quantization behind such a call goes in front of it: the numbers beside the elements become those that
/// the quantization makes of them, whatever the operand's own type holds.
struct QuantizeMovedCall : CountedPattern<quant::QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto call = op.getArg().getDefiningOp<func::CallOp>();
    const Type element = tensorType(op).getElementType();
    if (!call || !call.getNumOperands() || !isByte(element) || !isQuantizable(call.getOperand(0)))
      return rewriter.notifyMatchFailure(op, "no call with an operand that can be quantized");
    Value real = call.getOperand(0);
    if (!dequantizedActivation(real) && !(real.hasOneUse() && call->hasOneUse()))
      return rewriter.notifyMatchFailure(op, "what gives the operand is read elsewhere");
    func::FuncOp moved = movedFunction(call, cast<UniformType>(element), true);
    if (!moved)
      return rewriter.notifyMatchFailure(op, "does more than to move elements");
    Value x = rewriter.create<quant::QuantizeCastOp>(op.getLoc(), tensorType(real).clone(element), real);
    rewriter.replaceOp(op, moveCall(rewriter, call, moved, x));
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
  patterns.add<MoveDequantize<MaxPoolOp>, MoveDequantize<UpsampleOp>, MoveDequantize<tosa::SliceOp>, MoveCall,
               QuantizeMovedCall, QuantizeMoved<tosa::ReshapeOp>, QuantizeMoved<tosa::TransposeOp>,
               QuantizeMoved<tosa::SliceOp>>(patterns.getContext(), count);
}

} // namespace daedalus::qnn
