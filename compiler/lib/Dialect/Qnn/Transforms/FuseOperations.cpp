// See Fuse.h: operations that compute on quantized tensors.

#include "Fuse.h"
#include "Patterns.h"
#include "Products.h"
#include "Tables.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;
using quant::QuantizeCastOp;

bool hasOneScale(QuantizeCastOp op) {
  return isByte(tensorType(op).getElementType());
}

UniformType uniformType(Value quantized) {
  return cast<UniformType>(tensorType(quantized).getElementType());
}

/// Whether a sum, difference or product of quantized tensors has integers that make it, for the result's
/// scale, to a step.
bool hasIntegers(Operation *binary, QuantizeCastOp op) {
  const UniformType a = uniformType(dequantized(binary->getOperand(0))),
                    b = uniformType(dequantized(binary->getOperand(1)));
  const double out = uniformType(op).getScale();
  if (isa<MulOp>(binary))
    return toMultiplier(a.getScale() * b.getScale() / out).has_value();
  return addRecipe(a.getScale(), a.getZeroPoint(), b.getScale(), b.getZeroPoint(), out, isa<SubOp>(binary))
      .has_value();
}

/// Whether a product's bias in units of the accumulator is the real one to less than a step of the result, of
/// size `step`, and each unit a multiplier of steps.
bool isExact(const Product &product, const Weights &weights, ArrayRef<int32_t> units, double step) {
  const Bias bias = product.readBias();
  for (int64_t c = 0; c < product.channels(); ++c) {
    const double unit = product.inputScale() * weights.scale(c),
                 real = bias.values.empty() ? 0 : bias.values[c] * bias.scales[c];
    if (!toMultiplier(unit / step) ||
        std::abs(units[c] * unit - real) > step * mostRounding + 1e-6 * std::abs(real))
      return false;
  }
  return true;
}

/// Whether there are integers that add the residual to such a product, to a step of the result.
bool hasRecipe(const Product &product, const Weights &weights, ArrayRef<int32_t> units, Value residual,
               double step) {
  const UniformType input = uniformType(product.input), added = uniformType(residual);
  std::vector<double> scales = weights.scales;
  for (double &scale : scales)
    scale *= input.getScale();
  return bool(residualRecipe(product.byChannel(weights).values, units, scales, input.getZeroPoint(),
                             added.getScale(), added.getZeroPoint(), step));
}

/// The product with a residual or none, quantized as `op` quantizes it; null where its sums may not fit 32
/// bits, or its result may not be right to a step.
Value quantizedProduct(PatternRewriter &rewriter, Location loc, const Product &product, Value residual,
                       QuantizeCastOp op) {
  Weights weights = product.readWeights();
  const auto units = product.biasUnits(weights, product.readBias());
  const double step = uniformType(op).getScale();
  if (!units || !isExact(product, weights, *units, step) ||
      (residual && !hasRecipe(product, weights, *units, residual, step)))
    return nullptr;
  Value bias = biasConstant(rewriter, loc, product, weights, *units);
  return quantizedProduct(rewriter, loc, op.getType(), product, weights, bias, residual);
}

struct FuseProduct : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    const auto product = hasOneScale(op) ? Product::of(op.getArg()) : std::nullopt;
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product of quantized tensors");
    Value made = quantizedProduct(rewriter, betweenCasts(product->op, op), *product, nullptr, op);
    if (!made)
      return failure();
    rewriter.replaceOp(op, made);
    return done();
  }
};

struct FuseResidual : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    const auto sum = hasOneScale(op) ? ResidualSum::of(op.getArg()) : std::nullopt;
    if (!sum)
      return rewriter.notifyMatchFailure(op, "no sum of a product and a quantized tensor");
    Operation *add = op.getArg().getDefiningOp();
    const Location loc = joined(betweenCasts(sum->product.op, op), betweenCasts(add, op));
    Value made = quantizedProduct(rewriter, loc, sum->product, sum->residual, op);
    if (!made)
      return failure();
    rewriter.replaceOp(op, made);
    return done();
  }
};

template <class Op> struct FuseBinary : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto binary = op.getArg().getDefiningOp<Op>();
    if (!binary || !hasOneScale(op) || !isByteOperand(binary.getA()) || !isByteOperand(binary.getB()) ||
        !isQuantizable(binary) || Table::isOf(binary) || !hasIntegers(binary, op))
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
    if (!input || !hasOneScale(op) || !canRescale(input, uniformType(op)))
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
    if (!concat || !hasOneScale(op) || !isQuantizable(concat) ||
        !llvm::all_of(concat->getOperands(),
                      [&](Value real) { return canRescale(dequantizedActivation(real), uniformType(op)); }))
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
  patterns.add<FuseProduct, FuseResidual, FuseBinary<AddOp>, FuseBinary<SubOp>, FuseBinary<MulOp>,
               FuseAveragePool, FuseConcat, ClampParts>(patterns.getContext(), count);
}

void addTables(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<FuseTable>(patterns.getContext(), count);
}

} // namespace daedalus::qnn
