// See Fuse.h: operations that compute on quantized tensors.

#include "Fuse.h"
#include "Patterns.h"
#include "Products.h"
#include "Tables.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;
using quant::QuantizeCastOp;

bool hasOneScale(QuantizeCastOp op) {
  return isByte(tensorType(op).getElementType());
}

/// The elements of `values` of shape [a, b] in the order [b, a].
std::vector<int16_t> transposed(const std::vector<int16_t> &values, int64_t a, int64_t b) {
  std::vector<int16_t> result(values.size());
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      result[j * a + i] = values[i * b + j];
  return result;
}

struct FuseProduct : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    const auto product = hasOneScale(op) ? Product::of(op.getArg()) : std::nullopt;
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product of quantized tensors");
    const Location loc = betweenCasts(product->op, op);
    Weights weights = product->readWeights();
    const auto units = product->biasUnits(weights, product->readBias(), product->op->getLoc());
    if (!units)
      return failure();
    SmallVector<int64_t> shape(shapeOf(product->weights));
    if (product->outputAxis == 1) {
      weights.values = transposed(weights.values, shape[0], shape[1]);
      std::swap(shape[0], shape[1]);
    }
    Value w = weightConstant(rewriter, loc, shape, weights, 0);
    Value b = biasConstant(rewriter, loc, *product, weights, *units);
    if (auto conv = dyn_cast<ConvOp>(product->op))
      rewriter.replaceOp(op, rewriter.create<ConvOp>(loc, op.getType(), product->input, w, b, conv.getPad(),
                                                     conv.getStrides(), conv.getDilations(), conv.getGroups(),
                                                     conv.getChannelsLast()));
    else
      rewriter.replaceOp(op, rewriter.create<MatmulOp>(loc, op.getType(), product->input, w, b, true));
    return done();
  }
};

template <class Op> struct FuseBinary : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto binary = op.getArg().getDefiningOp<Op>();
    if (!binary || !hasOneScale(op) || !isQuantizable(binary) || Table::isOf(binary))
      return rewriter.notifyMatchFailure(op, "no operation on quantized tensors");
    rewriter.replaceOp(op, rewriter.create<Op>(betweenCasts(binary, op), op.getType(),
                                               dequantized(binary.getA()), dequantized(binary.getB())));
    return done();
  }
};

struct FuseAveragePool : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto pool = op.getArg().getDefiningOp<AveragePoolOp>();
    Value input = pool ? dequantizedActivation(pool.getInput()) : Value();
    if (!input || !hasOneScale(op))
      return rewriter.notifyMatchFailure(op, "no mean of a quantized image");
    rewriter.replaceOp(op, rewriter.create<AveragePoolOp>(betweenCasts(pool, op), op.getType(), input,
                                                          pool.getKernel(), pool.getPad(), pool.getStrides(),
                                                          pool.getCountedEndAttr(), pool.getChannelsLast()));
    return done();
  }
};

/// Parts of other scales than the output's are rescaled first.
struct FuseConcat : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getArg().getDefiningOp<ConcatOp>();
    if (!concat || !hasOneScale(op) || !isQuantizable(concat))
      return rewriter.notifyMatchFailure(op, "no concatenation of quantized tensors");
    const Type element = tensorType(op).getElementType();
    const Location loc = betweenCasts(concat, op);
    SmallVector<Value> parts;
    for (Value operand : concat->getOperands()) {
      Value part = dequantizedActivation(operand);
      if (tensorType(part).getElementType() != element)
        part = rewriter.create<tosa::CastOp>(loc, tensorType(part).clone(element), part);
      parts.push_back(part);
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, concat.getAxis())->setLoc(loc);
    return done();
  }
};

/// A clamp of a concatenation is one of each part.
struct ClampParts : CountedPattern<tosa::ClampOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(tosa::ClampOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat || !concat->hasOneUse() || !isa<UniformType>(tensorType(op).getElementType()))
      return rewriter.notifyMatchFailure(op, "no concatenation of quantized tensors");
    const Location loc = joined(concat.getLoc(), op.getLoc());
    SmallVector<Value> parts;
    for (Value part : concat->getOperands())
      parts.push_back(rewriter.create<tosa::ClampOp>(loc, part.getType(), part, op.getMinIntAttr(),
                                                     op.getMaxIntAttr(), op.getMinFpAttr(),
                                                     op.getMaxFpAttr()));
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, concat.getAxis())->setLoc(loc);
    return done();
  }
};

struct FuseTable : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    if (!hasOneScale(op) || !Table::isOf(op.getArg()))
      return rewriter.notifyMatchFailure(op, "no function of one quantized tensor");
    const Table table = Table::of(op.getArg());
    const auto type = cast<UniformType>(tensorType(op).getElementType());
    SmallVector<int8_t> entries;
    for (double value : table.values)
      entries.push_back(static_cast<int8_t>(quantizeValue(static_cast<float>(value), type)));
    SmallVector<Location> casts(table.casts);
    casts.push_back(op.getLoc());
    const Location loc = withQuantization(FusedLoc::get(op.getContext(), table.nodes), casts);
    Value constant = quantizedConstant(rewriter, loc, {tableEntries}, type, entries);
    rewriter.replaceOp(op, rewriter.create<tosa::TableOp>(loc, op.getType(), table.source, constant));
    return done();
  }
};

} // namespace

void addFusedOperations(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<FuseProduct, FuseBinary<AddOp>, FuseBinary<SubOp>, FuseBinary<MulOp>, FuseAveragePool,
               FuseConcat, ClampParts>(patterns.getContext(), count);
}

void addTables(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<FuseTable>(patterns.getContext(), count);
}

} // namespace daedalus::qnn
