// See Fuse.h: quantization is monotone, so clamps and maxima of quantized numbers are those of the real ones.

#include "Fuse.h"
#include "Patterns.h"
#include "Tables.h"
#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;
using quant::QuantizeCastOp;

/// A clamp of quantized numbers to [lo, hi], in integers.
Value clamped(PatternRewriter &rewriter, Location loc, Value x, int64_t lo, int64_t hi) {
  const auto type = cast<UniformType>(tensorType(x).getElementType());
  const auto real = [&](int64_t q) {
    return rewriter.getF32FloatAttr((q - type.getZeroPoint()) * type.getScale());
  };
  return rewriter.create<tosa::ClampOp>(loc, x.getType(), x, rewriter.getI64IntegerAttr(lo),
                                        rewriter.getI64IntegerAttr(hi), real(lo), real(hi));
}

struct QuantizeClamp : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto clamp = op.getArg().getDefiningOp<tosa::ClampOp>();
    auto type = dyn_cast<UniformType>(tensorType(op).getElementType());
    if (!clamp || !type || !isQuantizable(clamp.getInput()) || Table::isOf(clamp))
      return rewriter.notifyMatchFailure(op, "no clamp of what can be quantized");
    const Location loc = withQuantization(clamp.getLoc(), op.getLoc());
    Value x = rewriter.create<QuantizeCastOp>(loc, op.getType(), clamp.getInput());
    rewriter.replaceOp(op, clamped(rewriter, loc, x, quantizeValue(clamp.getMinFp().convertToFloat(), type),
                                   quantizeValue(clamp.getMaxFp().convertToFloat(), type)));
    return done();
  }
};

/// A clamp that leaves all numbers as they are; what gave them takes its name.
struct DropClamp : CountedPattern<tosa::ClampOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(tosa::ClampOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<UniformType>(tensorType(op).getElementType());
    Operation *source = op.getInput().getDefiningOp();
    if (!type || static_cast<int64_t>(op.getMinInt()) > type.getStorageTypeMin() ||
        static_cast<int64_t>(op.getMaxInt()) < type.getStorageTypeMax() ||
        isa_and_nonnull<QuantizeCastOp>(source))
      return rewriter.notifyMatchFailure(op, "clamps");
    if (source && source->hasOneUse())
      source->setLoc(joined(source->getLoc(), op.getLoc()));
    rewriter.replaceOp(op, op.getInput());
    return done();
  }
};

/// Clamps of one another.
struct JoinClamps : CountedPattern<tosa::ClampOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(tosa::ClampOp op, PatternRewriter &rewriter) const override {
    auto before = op.getInput().getDefiningOp<tosa::ClampOp>();
    if (!before || !isa<UniformType>(tensorType(op).getElementType()))
      return rewriter.notifyMatchFailure(op, "no two clamps of a quantized tensor");
    const int64_t least = static_cast<int64_t>(op.getMinInt()), most = static_cast<int64_t>(op.getMaxInt());
    const int64_t lo = std::clamp(static_cast<int64_t>(before.getMinInt()), least, most),
                  hi = std::clamp(static_cast<int64_t>(before.getMaxInt()), least, most);
    rewriter.replaceOp(op,
                       clamped(rewriter, joined(before.getLoc(), op.getLoc()), before.getInput(), lo, hi));
    return done();
  }
};

/// Whether a tensor is a dequantized one, clamped or not.
bool isActivation(Value real) {
  while (auto clamp = real.getDefiningOp<tosa::ClampOp>())
    real = clamp.getInput();
  return bool(dequantizedActivation(real));
}

struct QuantizeMaxPool : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    auto pool = op.getArg().getDefiningOp<MaxPoolOp>();
    if (!pool || !isa<UniformType>(tensorType(op).getElementType()) || !isQuantizable(pool.getInput()) ||
        isActivation(pool.getInput()))
      return rewriter.notifyMatchFailure(op, "no maximum of what can be quantized");
    const Type element = tensorType(op).getElementType();
    Value x = rewriter.create<QuantizeCastOp>(op.getLoc(), tensorType(pool.getInput()).clone(element),
                                              pool.getInput());
    rewriter.replaceOp(op, rewriter.create<MaxPoolOp>(betweenCasts(pool, op), op.getType(), x,
                                                      pool.getKernel(), pool.getPad(), pool.getStrides(),
                                                      pool.getDilations(), pool.getChannelsLast()));
    return done();
  }
};

/// The maximum of clamped numbers is the clamped maximum; the clamp joins what quantizes.
struct ClampMaxPool : CountedPattern<MaxPoolOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(MaxPoolOp op, PatternRewriter &rewriter) const override {
    auto clamp = op.getInput().getDefiningOp<tosa::ClampOp>();
    if (!clamp || !tensorType(op).getElementType().isF32() || !isActivation(clamp))
      return rewriter.notifyMatchFailure(op, "no clamp of a dequantized image");
    Value pool =
        rewriter.create<MaxPoolOp>(op.getLoc(), op.getType(), clamp.getInput(), op.getKernel(), op.getPad(),
                                   op.getStrides(), op.getDilations(), op.getChannelsLast());
    rewriter
        .replaceOpWithNewOp<tosa::ClampOp>(op, op.getType(), pool, clamp.getMinIntAttr(),
                                           clamp.getMaxIntAttr(), clamp.getMinFpAttr(), clamp.getMaxFpAttr())
        ->setLoc(clamp.getLoc());
    return done();
  }
};

/// From one scale to another.
struct Rescale : CountedPattern<QuantizeCastOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(QuantizeCastOp op, PatternRewriter &rewriter) const override {
    Value quantized = dequantizedActivation(op.getArg());
    auto type = dyn_cast<UniformType>(tensorType(op).getElementType());
    if (!quantized || !type || !canRescale(quantized, type))
      return rewriter.notifyMatchFailure(op, "no dequantized tensor, or no multiplier between the scales");
    const Location dequantization = op.getArg().getLoc();
    if (quantized.getType() != op.getType()) {
      const Location loc = withQuantization(op.getLoc(), dequantization);
      rewriter.replaceOp(op, rewriter.create<tosa::CastOp>(loc, op.getType(), quantized));
      return done();
    }
    if (Operation *source = quantized.getDefiningOp())
      source->setLoc(withQuantization(source->getLoc(), {dequantization, op.getLoc()}));
    rewriter.replaceOp(op, quantized);
    return done();
  }
};

} // namespace

void addCommuting(RewritePatternSet &patterns, uint64_t &count) {
  patterns.add<QuantizeClamp, DropClamp, JoinClamps, QuantizeMaxPool, ClampMaxPool, Rescale>(
      patterns.getContext(), count);
}

} // namespace daedalus::qnn
