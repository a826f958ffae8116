// qnn-fold-constants: casts, reshapes and copies of constants.

#include "Functions.h"
#include "Fuse.h"
#include "Patterns.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNFOLDCONSTANTS
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

/// The integers of a constant as another type, quantized or not.
struct FoldStorageCast : CountedPattern<quant::StorageCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::StorageCastOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr elements = constantOf(op.getArg());
    if (!elements)
      return rewriter.notifyMatchFailure(op, "no constant");
    rewriter.replaceOpWithNewOp<tosa::ConstOp>(op, op.getType(), elements);
    return done();
  }
};

struct FoldQuantize : CountedPattern<quant::QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::QuantizeCastOp op, PatternRewriter &rewriter) const override {
    const std::optional<std::vector<float>> numbers = realNumbers(op.getArg());
    auto type = cast<RankedTensorType>(op.getType());
    auto element = cast<quant::QuantizedType>(type.getElementType());
    if (!numbers || element.getStorageTypeIntegralWidth() != 8)
      return rewriter.notifyMatchFailure(op, "no constant");
    const ScaleOf of(type);
    std::vector<int8_t> values;
    for (auto [i, x] : llvm::enumerate(*numbers))
      values.push_back(static_cast<int8_t>(quantizeValue(
          x, of.scale(i), of.zeroPoint(i), element.getStorageTypeMin(), element.getStorageTypeMax())));
    rewriter.replaceOp(op, quantizedConstant(rewriter, op.getLoc(), type.getShape(), element, values));
    return done();
  }
};

/// The type of elements in another shape: scales along a dimension are along the one that is as long and has
/// as many elements before it. Null where there is none.
Type reshapedElement(RankedTensorType from, ArrayRef<int64_t> to) {
  auto perAxis = dyn_cast<PerAxisType>(from.getElementType());
  if (!perAxis)
    return from.getElementType();
  const auto before = [](ArrayRef<int64_t> shape, int64_t axis) {
    int64_t count = 1;
    for (int64_t size : shape.take_front(axis))
      count *= size;
    return count;
  };
  const int64_t axis = perAxis.getQuantizedDimension();
  for (int64_t d = 0; d < static_cast<int64_t>(to.size()); ++d)
    if (to[d] == from.getDimSize(axis) && before(to, d) == before(from.getShape(), axis))
      return PerAxisType::get(perAxis.getFlags(), perAxis.getStorageType(), perAxis.getExpressedType(),
                              perAxis.getScales(), perAxis.getZeroPoints(), static_cast<int32_t>(d),
                              perAxis.getStorageTypeMin(), perAxis.getStorageTypeMax());
  return nullptr;
}

/// Of a constant, dequantized or not.
struct FoldReshape : CountedPattern<tosa::ReshapeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(tosa::ReshapeOp op, PatternRewriter &rewriter) const override {
    Value quantized = dequantized(op.getInput1()), source = quantized ? quantized : op.getInput1();
    DenseElementsAttr elements = constantOf(source);
    const Type element = elements ? reshapedElement(tensorType(source), shapeOf(op)) : Type();
    if (!element)
      return rewriter.notifyMatchFailure(op, "no constant whose scales have a dimension");
    auto type = cast<RankedTensorType>(op.getType()).clone(element);
    Value constant = rewriter.create<tosa::ConstOp>(
        op.getLoc(), type, elements.reshape(elements.getType().clone(type.getShape())));
    if (quantized)
      constant = rewriter.create<quant::DequantizeCastOp>(op.getLoc(), op.getType(), constant);
    rewriter.replaceOp(op, constant);
    return done();
  }
};

/// A call of a function that returns its argument: Identity of an initializer, as quantizers write it.
struct FoldCopy : CountedPattern<func::CallOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(func::CallOp op, PatternRewriter &rewriter) const override {
    if (op.getNumOperands() != 1 || !(constantOf(op.getOperand(0)) || isRealConstant(op.getOperand(0))))
      return rewriter.notifyMatchFailure(op, "no constant");
    auto callee = calleeOf(op);
    if (!callee || !isCopy(callee))
      return rewriter.notifyMatchFailure(op, "no copy");
    rewriter.replaceOp(op, op.getOperand(0));
    return done();
  }
};

/// Quantizations of one tensor to one type, as quantizers write one for each reader, are one.
struct JoinQuantizations : CountedPattern<quant::QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(quant::QuantizeCastOp op, PatternRewriter &rewriter) const override {
    for (Operation *user : op.getArg().getUsers()) {
      auto other = dyn_cast<quant::QuantizeCastOp>(user);
      if (!other || other.getType() != op.getType() || !other->isBeforeInBlock(op))
        continue;
      other->setLoc(joined(other.getLoc(), op.getLoc()));
      rewriter.replaceOp(op, other);
      return done();
    }
    return rewriter.notifyMatchFailure(op, "no other of the same tensor");
  }
};

struct FoldConstants : GraphPass<impl::QnnFoldConstantsBase<FoldConstants>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    RewritePatternSet patterns(&getContext());
    uint64_t &folded = counts["folded"];
    patterns.add<FoldStorageCast, FoldQuantize, FoldReshape, FoldCopy, JoinQuantizations>(&getContext(),
                                                                                          folded);
    addViews(patterns, folded);
    return applyPatterns(main, std::move(patterns));
  }
};

} // namespace
} // namespace daedalus::qnn
