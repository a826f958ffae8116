// qnn-fold-into-weights: what follows a convolution or matrix product and is linear in each output channel
// goes into its weights' scales and its bias.

#include "Functions.h"
#include "Patterns.h"
#include "Products.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNFOLDINTOWEIGHTS
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

/// The factor and the summand of each channel of a normalization; nothing where they are not constant, or a
/// factor is 0 or no number.
struct Normalization {
  std::vector<double> factors, summands;

  static std::optional<Normalization> of(BatchNormOp op) {
    const auto scale = realNumbers(op.getScale()), bias = realNumbers(op.getBias()),
               mean = realNumbers(op.getMean()), variance = realNumbers(op.getVariance());
    if (!scale || !bias || !mean || !variance)
      return std::nullopt;
    Normalization read;
    for (size_t c = 0; c < scale->size(); ++c) {
      const double factor =
          (*scale)[c] / std::sqrt(double((*variance)[c]) + op.getEpsilon().convertToFloat());
      if (factor == 0 || !std::isfinite(factor))
        return std::nullopt;
      read.factors.push_back(factor);
      read.summands.push_back((*bias)[c] - (*mean)[c] * factor);
    }
    return read;
  }
};

void setBias(Operation *product, Value bias) {
  if (auto conv = dyn_cast<ConvOp>(product))
    conv.getBiasMutable().assign(bias);
  else
    cast<MatmulOp>(product).getBiasMutable().assign(bias);
}

/// The product with other weights of the same shape, and a bias in the accumulator's units.
Value withWeights(PatternRewriter &rewriter, Location loc, const Product &product, const Weights &weights,
                  ArrayRef<int32_t> units) {
  const auto real = [&](Value quantized) -> Value {
    auto type = tensorType(quantized).clone(Type(rewriter.getF32Type()));
    return rewriter.create<quant::DequantizeCastOp>(loc, type, quantized);
  };
  Value w = real(weightConstant(rewriter, loc, shapeOf(product.weights), weights, product.outputAxis));
  Value b = real(biasConstant(rewriter, loc, product, weights, units));
  Operation *op = rewriter.clone(*product.op);
  op->setLoc(loc);
  op->setOperand(1, w);
  setBias(op, b);
  return op->getResult(0);
}

/// The factor goes into the weights' scales, its sign into the weights, the summand into the bias.
std::optional<Value> normalized(PatternRewriter &rewriter, Location loc, const Product &product,
                                const Normalization &by) {
  Weights weights = product.readWeights();
  const auto before = product.biasUnits(weights, product.readBias());
  if (!before)
    return std::nullopt;
  Bias bias;
  std::vector<double> scales;
  for (int64_t c = 0; c < product.channels(); ++c) {
    scales.push_back(weights.scale(c) * std::abs(by.factors[c]));
    bias.values.push_back((*before)[c] * product.inputScale() * weights.scale(c) * by.factors[c] +
                          by.summands[c]);
    bias.scales.push_back(1);
  }
  for (size_t i = 0; i < weights.values.size(); ++i)
    if (by.factors[product.channelOf(i)] < 0)
      weights.values[i] = static_cast<int16_t>(-weights.values[i]);
  weights.scales = std::move(scales);
  const auto units = product.biasUnits(weights, bias);
  if (!units)
    return std::nullopt;
  return withWeights(rewriter, loc, product, weights, *units);
}

/// A batch normalization behind a product whose channels are those that it normalizes.
struct FoldBatchNorm : CountedPattern<BatchNormOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(BatchNormOp op, PatternRewriter &rewriter) const override {
    const auto product = Product::of(op.getInput());
    const auto by = product ? Normalization::of(op) : std::nullopt;
    const bool hasChannels = product && (isa<ConvOp>(product->op) || shapeOf(op.getInput()).size() == 2);
    if (!by || !hasChannels || !reachesQuantize(op))
      return rewriter.notifyMatchFailure(op, "no quantized product with constants");
    const auto result = normalized(rewriter, joined(product->op->getLoc(), op.getLoc()), *product, *by);
    if (!result)
      return failure();
    rewriter.replaceOp(op, *result);
    return done();
  }
};

/// A tensor [N, C, ...] as an image [N, C, 1, ...], behind its dequantization where it has one.
Value asImage(PatternRewriter &rewriter, Location loc, Value x) {
  const ArrayRef<int64_t> shape = shapeOf(x);
  const SmallVector<int64_t> image{shape[0], shape[1], 1,
                                   tensorType(x).getNumElements() / (shape[0] * shape[1])};
  if (Value quantized = dequantizedActivation(x))
    return rewriter.create<quant::DequantizeCastOp>(x.getLoc(), tensorType(x).clone(image),
                                                    reshaped(rewriter, loc, quantized, image));
  return reshaped(rewriter, loc, x, image);
}

/// A batch normalization of what is no image is one of an image, in another shape; where it is of a product
/// of images in another shape, of that.
struct NormalizeImage : CountedPattern<BatchNormOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(BatchNormOp op, PatternRewriter &rewriter) const override {
    Value x = op.getInput();
    const ArrayRef<int64_t> shape = shapeOf(x);
    if (shape.size() == 4 || shape.size() < 2 || !Normalization::of(op) || !reachesQuantize(op))
      return rewriter.notifyMatchFailure(op, "an image, or nothing that is quantized");
    Value image = imageOf(x);
    if (!image && dequantizedActivation(x))
      image = asImage(rewriter, op.getLoc(), x);
    if (!image)
      return rewriter.notifyMatchFailure(op, "neither a product nor dequantized");
    Value y = rewriter.create<BatchNormOp>(op.getLoc(), image.getType(), image, op.getScale(), op.getBias(),
                                           op.getMean(), op.getVariance(), op.getEpsilonAttr());
    rewriter.replaceOpWithNewOp<tosa::ReshapeOp>(op, op.getType(), y, rewriter.getDenseI64ArrayAttr(shape));
    return done();
  }

private:
  /// The product of images with the same channels that `x` is a reshape of; null where it is of none.
  static Value imageOf(Value x) {
    auto reshape = x.getDefiningOp<tosa::ReshapeOp>();
    Value image = reshape ? reshape.getInput1() : Value();
    return image && image.getDefiningOp<ConvOp>() && Product::of(image) &&
                   shapeOf(image).take_front(2) == shapeOf(x).take_front(2)
               ? image
               : nullptr;
  }
};

/// A batch normalization of a quantized image: a depthwise convolution by 1 takes it, in units so fine that
/// its summand has no other rounding than the result.
struct BatchNormAsConvolution : CountedPattern<BatchNormOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(BatchNormOp op, PatternRewriter &rewriter) const override {
    const ArrayRef<int64_t> shape = shapeOf(op.getInput());
    if (!dequantizedActivation(op.getInput()) || shape.size() != 4 || !Normalization::of(op) ||
        !reachesQuantize(op))
      return rewriter.notifyMatchFailure(op, "no quantized image with constants");
    const int64_t channels = shape[1];
    const int16_t one = 127 << 8;
    const SmallVector<int16_t> ones(channels, one);
    const Type type = signedType(op.getContext(), 16, {1.0 / one}, 0);
    Value w = quantizedConstant(rewriter, op.getLoc(), {channels, 1, 1, 1}, type, ones);
    w = rewriter.create<quant::DequantizeCastOp>(op.getLoc(),
                                                 tensorType(w).clone(Type(rewriter.getF32Type())), w);
    const SmallVector<int64_t> pad(4, 0), pair(2, 1);
    Value same = rewriter.create<ConvOp>(op.getLoc(), op.getInput().getType(), op.getInput(), w, Value(),
                                         Value(), pad, pair, pair, channels, false);
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(same); });
    return done();
  }
};

/// A constant of one number a channel, or one in all, added to a product without a bias.
struct FoldBias : CountedPattern<AddOp> {
  using CountedPattern::CountedPattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [sum, constant] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      const auto product = Product::of(sum);
      if (!product || product->bias || !isBias(*product, constant) || !reachesQuantize(op))
        continue;
      const Location loc = joined(product->op->getLoc(), op.getLoc());
      Value bias = flat(rewriter, op.getLoc(), constant);
      Operation *with = rewriter.clone(*product->op);
      with->setLoc(loc);
      setBias(with, bias);
      rewriter.replaceOp(op, with->getResults());
      return done();
    }
    return rewriter.notifyMatchFailure(op, "no product and constant");
  }

private:
  static bool isBias(const Product &product, Value constant) {
    if (!isRealConstant(constant))
      return false;
    const ArrayRef<int64_t> shape = shapeOf(constant);
    const size_t rank = shapeOf(product.op->getResult(0)).size();
    const int64_t size = tensorType(constant).getNumElements(), channels = product.channels();
    if (size == 1)
      return shape.size() <= rank;
    const size_t fromEnd = isa<ConvOp>(product.op) ? 3 : 1; // position of the channels
    Value quantized = dequantized(constant);
    return size == channels && shape.size() >= fromEnd && shape.size() <= rank &&
           shape[shape.size() - fromEnd] == channels &&
           (fromEnd == 1 || !quantized || isa<UniformType>(tensorType(quantized).getElementType()));
  }

  /// The constant with one dimension.
  static Value flat(PatternRewriter &rewriter, Location loc, Value constant) {
    Value quantized = dequantized(constant);
    const RankedTensorType type = tensorType(quantized ? quantized : constant);
    const int64_t size = type.getNumElements();
    Type element = type.getElementType();
    if (auto perAxis = dyn_cast<PerAxisType>(element))
      element = PerAxisType::get(perAxis.getFlags(), perAxis.getStorageType(), perAxis.getExpressedType(),
                                 perAxis.getScales(), perAxis.getZeroPoints(), 0, perAxis.getStorageTypeMin(),
                                 perAxis.getStorageTypeMax());
    DenseElementsAttr elements = constantOf(quantized ? quantized : constant);
    Value made = rewriter.create<tosa::ConstOp>(loc, RankedTensorType::get({size}, element),
                                                elements.reshape(elements.getType().clone({size})));
    if (quantized)
      made = rewriter.create<quant::DequantizeCastOp>(
          loc, RankedTensorType::get({size}, rewriter.getF32Type()), made);
    return made;
  }
};

struct FoldIntoWeights : GraphPass<impl::QnnFoldIntoWeightsBase<FoldIntoWeights>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldBatchNorm>(&getContext(), counts["normalizations"]);
    patterns.add<NormalizeImage>(&getContext(), counts["normalizations of an image"]);
    patterns.add<BatchNormAsConvolution>(&getContext(), counts["depthwise convolutions"]);
    patterns.add<FoldBias>(&getContext(), counts["biases"]);
    return applyPatterns(main, std::move(patterns));
  }
};

} // namespace
} // namespace daedalus::qnn
