// See Products.h.

#include "Products.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include <cmath>

namespace daedalus::qnn {

using namespace mlir;

/// Whether a constant's integers may be the weights of a product with output channels along `axis`.
static bool areWeights(Value value, unsigned axis) {
  const DenseElementsAttr elements = constantOf(value);
  if (!elements || elements.empty())
    return false;
  const Type element = tensorType(value).getElementType();
  auto type = cast<quant::QuantizedType>(element);
  auto perAxis = dyn_cast<PerAxisType>(element);
  return (isa<UniformType>(element) || (perAxis && perAxis.getQuantizedDimension() == int32_t(axis))) &&
         (type.getStorageTypeIntegralWidth() == 8 || type.getStorageTypeIntegralWidth() == 16);
}

std::optional<Product> Product::of(Value result) {
  Operation *op = result.getDefiningOp();
  auto conv = dyn_cast_or_null<ConvOp>(op);
  auto matmul = dyn_cast_or_null<MatmulOp>(op);
  if ((!conv && !matmul) || !tensorType(result).getElementType().isF32())
    return std::nullopt;
  Product product{op, dequantizedActivation(op->getOperand(0)), dequantized(op->getOperand(1)),
                  conv ? conv.getBias() : matmul.getBias(), conv || matmul.getTransposed() ? 0u : 1u};
  if (!product.input || !product.weights || !areWeights(product.weights, product.outputAxis) ||
      (product.bias && !isRealConstant(product.bias)))
    return std::nullopt;
  return product;
}

/// Whether each channel's sums stay below 2^30 in size, its bias included, and its unit above 2^-20 of a
/// scale: so that the sums and a byte of that scale fit 32 bits together.
static bool hasRoomFor(const Product &product, double scale) {
  const Weights weights = product.readWeights();
  const Bias bias = product.readBias();
  for (auto [c, range] : llvm::enumerate(product.sumRanges(weights))) {
    const double unit = product.inputScale() * weights.scale(c);
    double sum = double(range.size());
    if (!bias.values.empty())
      sum += std::abs(bias.values[c] * bias.scales[c]) / unit;
    if (!(sum < 1073741824.0 && unit > std::ldexp(scale, -20)))
      return false;
  }
  return true;
}

std::optional<ResidualSum> ResidualSum::of(Value result) {
  auto add = result.getDefiningOp<AddOp>();
  for (unsigned k : {0u, 1u}) {
    Value sums = add ? add->getOperand(k) : nullptr;
    const auto product = sums && sums.hasOneUse() ? Product::of(sums) : std::nullopt;
    Value residual = product ? dequantizedActivation(add->getOperand(1 - k)) : nullptr;
    if (!residual || !isByte(tensorType(residual).getElementType()) || shapeOf(residual) != shapeOf(result) ||
        shapeOf(sums) != shapeOf(result))
      continue;
    if (hasRoomFor(*product, cast<UniformType>(tensorType(residual).getElementType()).getScale()))
      return ResidualSum{*product, residual};
  }
  return std::nullopt;
}

double Product::inputScale() const {
  return cast<UniformType>(tensorType(input).getElementType()).getScale();
}

size_t Product::inner() const {
  size_t count = 1;
  for (int64_t size : shapeOf(weights).drop_front(outputAxis + 1))
    count *= size;
  return count;
}

Weights Product::readWeights() const {
  const DenseElementsAttr elements = constantOf(weights);
  const RankedTensorType type = tensorType(weights);
  Weights read;
  read.values.reserve(elements.getNumElements());
  if (elements.getElementType().isInteger(16))
    read.values.assign(elements.value_begin<int16_t>(), elements.value_end<int16_t>());
  else
    read.values.assign(elements.value_begin<int8_t>(), elements.value_end<int8_t>());
  if (auto perAxis = dyn_cast<PerAxisType>(type.getElementType()))
    read.scales.assign(perAxis.getScales().begin(), perAxis.getScales().end());
  else
    read.scales = {cast<UniformType>(type.getElementType()).getScale()};
  const ScaleOf of(type);
  if (!of.hasZeroPoints())
    return read;
  for (size_t i = 0; i < read.values.size(); ++i)
    read.values[i] = static_cast<int16_t>(read.values[i] - of.zeroPoint(i));
  return read;
}

std::vector<SumRange> Product::sumRanges(const Weights &weights) const {
  const auto type = cast<UniformType>(tensorType(input).getElementType());
  const int64_t low = type.getStorageTypeMin() - type.getZeroPoint(),
                high = type.getStorageTypeMax() - type.getZeroPoint();
  std::vector<SumRange> ranges(channels());
  ArrayRef<int16_t> left = weights.values;
  for (size_t c = 0; !left.empty(); c = (c + 1) % ranges.size(), left = left.drop_front(inner()))
    for (int64_t weight : left.take_front(inner())) {
      ranges[c].least += std::min(weight * low, weight * high);
      ranges[c].most += std::max(weight * low, weight * high);
    }
  return ranges;
}

Bias Product::readBias() const {
  Bias read;
  if (!bias)
    return read;
  const int64_t size = tensorType(bias).getNumElements();
  Value quantized = dequantized(bias);
  std::vector<double> values, scales;
  if (quantized) {
    const ScaleOf of(tensorType(quantized));
    const bool isSigned = cast<quant::QuantizedType>(tensorType(quantized).getElementType()).isSigned();
    for (auto [i, q] : llvm::enumerate(integersOf(constantOf(quantized), isSigned))) {
      values.push_back(static_cast<double>(q - of.zeroPoint(i)));
      scales.push_back(of.scale(i));
    }
  } else {
    const std::optional<std::vector<float>> numbers = realNumbers(bias);
    for (float value : *numbers) {
      values.push_back(value);
      scales.push_back(1);
    }
  }
  for (int64_t c = 0; c < channels(); ++c) {
    read.values.push_back(values[size == 1 ? 0 : c]);
    read.scales.push_back(scales[size == 1 ? 0 : c]);
  }
  return read;
}

/// The largest power of two that divides all weights.
static int64_t commonPower(ArrayRef<int16_t> weights) {
  int64_t power = 32768;
  for (int64_t weight : weights)
    while (weight % power != 0)
      power /= 2;
  return power;
}

/// Weights and bias of a channel in units a power of two as large, so that the bias is at most 2^30 and the
/// rest at most 2^29; false where that changes too much.
static bool coarsen(const Product &product, Weights &weights, int64_t channel, const SumRange &range,
                    double &bias) {
  if (!(std::abs(bias) >= 2.0 * double(range.size()) && std::isfinite(bias)))
    return false;
  const double units = std::exp2(std::ceil(std::log2(std::abs(bias)) - 30)),
               power = double(commonPower(weights.values));
  double change = 0;
  for (auto [i, weight] : llvm::enumerate(weights.values))
    if (product.channelOf(i) == channel) {
      const double exact = weight / units;
      weight = static_cast<int16_t>(std::nearbyint(exact / power) * power);
      change += 255 * std::abs(weight - exact);
    }
  if (weights.scales.size() == 1)
    weights.scales.resize(product.channels(), weights.scales[0]);
  weights.scales[channel] *= units;
  bias = std::nearbyint(bias / units);
  return change <= std::ldexp(std::abs(bias), -13);
}

std::optional<std::vector<int32_t>> Product::biasUnits(Weights &weights, const Bias &bias) const {
  const std::vector<SumRange> ranges = sumRanges(weights);
  std::vector<int32_t> units;
  for (int64_t c = 0; c < channels(); ++c) {
    double value = 0;
    if (!bias.values.empty()) {
      double ratio = bias.scales[c] / (inputScale() * weights.scale(c));
      if (std::abs(ratio - 1) < 1e-6) // the quantizer's own product of float32 scales
        ratio = 1;
      value = std::nearbyint(bias.values[c] * ratio);
    }
    if (!ranges[c].fitsWith(value) && !coarsen(*this, weights, c, ranges[c], value))
      return std::nullopt;
    units.push_back(static_cast<int32_t>(value));
  }
  return units;
}

Value weightConstant(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, const Weights &weights,
                     int32_t axis) {
  MLIRContext *context = builder.getContext();
  if (!weights.fitInt8())
    return quantizedConstant(builder, loc, shape, signedType(context, 16, weights.scales, axis),
                             ArrayRef(weights.values));
  const std::vector<int8_t> bytes(weights.values.begin(), weights.values.end());
  return quantizedConstant(builder, loc, shape, signedType(context, 8, weights.scales, axis),
                           ArrayRef(bytes));
}

Value biasConstant(OpBuilder &builder, Location loc, const Product &product, const Weights &weights,
                   ArrayRef<int32_t> units) {
  std::vector<double> scales;
  for (double scale : weights.scales)
    scales.push_back(scale * product.inputScale());
  return quantizedConstant(builder, loc, {static_cast<int64_t>(units.size())},
                           signedType(builder.getContext(), 32, scales, 0), units);
}

/// The elements of `values` of shape [a, b] in the order [b, a].
static std::vector<int16_t> transposed(const std::vector<int16_t> &values, int64_t a, int64_t b) {
  std::vector<int16_t> result(values.size());
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      result[j * a + i] = values[i * b + j];
  return result;
}

Weights Product::byChannel(const Weights &weights) const {
  Weights result = weights;
  if (outputAxis == 1)
    result.values = transposed(weights.values, shapeOf(this->weights)[0], shapeOf(this->weights)[1]);
  return result;
}

Value quantizedProduct(OpBuilder &builder, Location loc, Type type, const Product &product,
                       const Weights &weights, Value bias, Value residual) {
  SmallVector<int64_t> shape(shapeOf(product.weights));
  if (product.outputAxis == 1)
    std::swap(shape[0], shape[1]);
  Value w = weightConstant(builder, loc, shape, product.byChannel(weights), 0);
  if (auto conv = dyn_cast<ConvOp>(product.op))
    return builder.create<ConvOp>(loc, type, product.input, w, bias, residual, conv.getPad(),
                                  conv.getStrides(), conv.getDilations(), conv.getGroups(),
                                  conv.getChannelsLast());
  return builder.create<MatmulOp>(loc, type, product.input, w, bias, residual, true);
}

} // namespace daedalus::qnn
