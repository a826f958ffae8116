// Conv, Gemm and MatMul with constant weights. The bias becomes int32 in units of the input's scale times
// the weights' scale, the unit of the accumulator.

#include "Importer.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// The elements of `values` of shape [A, B, C] in the order [A, C, B].
std::vector<int16_t> swapInner(const std::vector<int16_t> &values, int64_t a, int64_t b, int64_t c) {
  std::vector<int16_t> result(values.size());
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      for (int64_t k = 0; k < c; ++k)
        result[(i * c + k) * b + j] = values[(i * b + j) * c + k];
  return result;
}

} // namespace

std::vector<int16_t> centredWeights(const Edge &edge) {
  const HostIntegers &ints = edge.constant->ints;
  std::vector<int16_t> values(ints.size());
  const ChannelOf channelOf(edge.constant->shape, edge.quantization);
  ints.visit([&](const auto &all) {
    for (size_t i = 0; i < all.size(); ++i)
      values[i] = static_cast<int16_t>(all[i] - edge.quantization.zeroPoints[channelOf(i)]);
  });
  return values;
}

/// Whether a Conv, Gemm or MatMul has the form of quantized products: what else there is runs in float32.
bool Importer::isQuantizedProduct(const Node &node) {
  const Edge &x = edge(node, 0), &in = edge(node, 1);
  if (x.kind != Edge::Kind::Real || x.clamped() || in.kind != Edge::Kind::QuantizedConstant)
    return false;
  const std::string &type = node.proto.op_type();
  const bool transposed = type == "Gemm" && intAttribute(node, "transB", 0) != 0;
  const int64_t outputAxis = type == "Conv" || transposed ? 0 : 1;
  const int32_t dtype = in.constant->dtype;
  if ((dtype != onnx::TensorProto::INT8 && dtype != onnx::TensorProto::UINT8) || in.constant->size() == 0 ||
      (in.quantization.scales.size() != 1 && in.quantization.axis != outputAxis))
    return false;
  if (type == "Conv")
    return x.tensor.shape.size() == 4 && (inputName(node, 2).empty() || edge(node, 2).constant);
  if (in.constant->shape.size() != 2 || x.tensor.shape.size() < 2)
    return false;
  return type == "MatMul" ||
         ((inputName(node, 2).empty() || isBias(node)) && !intAttribute(node, "transA", 0) &&
          floatAttribute(node, "alpha", 1) == 1 && floatAttribute(node, "beta", 1) == 1);
}

/// Whether input 2 of a Gemm is one number an output channel, or one for all.
bool Importer::isBias(const Node &node) {
  const HostTensorPtr constant = edge(node, 2).constant;
  if (!constant)
    return false;
  const auto &weights = edge(node, 1).constant->shape;
  const int64_t channels = intAttribute(node, "transB", 0) ? weights[0] : weights[1];
  return constant->size() == 1 || (constant->size() == channels && constant->shape.back() == channels);
}

/// Whether a BatchNormalization is a factor and a summand for each channel of a convolution before it, or of
/// a quantized tensor.
bool Importer::isQuantizedNormalization(const Node &node) {
  const Edge &in = edge(node, 0);
  const bool takes = in.product || (in.kind == Edge::Kind::Real && in.tensor.shape.size() == 4);
  if (node.proto.op_type() != "BatchNormalization" || !takes || in.clamped() ||
      node.proto.output_size() != 1 || intAttribute(node, "training_mode", 0) ||
      !intAttribute(node, "spatial", 1))
    return false;
  const int64_t channels = in.product ? in.product->weights.channels() : in.tensor.shape[1];
  for (int input = 1; input < 5; ++input) {
    const HostTensorPtr constant = constantInput(node, input);
    if (!constant || !constant->isFloat() || constant->size() != channels)
      return false;
  }
  for (int64_t c = 0; c < channels; ++c)
    if (const double factor = normalizationFactor(node, c); factor == 0 || !std::isfinite(factor))
      return false;
  return true;
}

/// Of a BatchNormalization's channel.
double Importer::normalizationFactor(const Node &node, int64_t channel) {
  const double variance = edge(node, 4).constant->floats[channel];
  return edge(node, 1).constant->floats[channel] /
         std::sqrt(variance + floatAttribute(node, "epsilon", 1e-5f));
}

/// Each channel as it is: a depthwise convolution by 1, in the finest units that weights of int8 have.
Product Importer::identityProduct(const Tensor &x, Location loc) {
  const int64_t channels = x.shape[1];
  Weights weights;
  weights.shape = {channels, 1, 1, 1};
  weights.values.assign(channels, 127);
  weights.scales = {1.0 / 127};
  Window window{{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {x.shape[2], x.shape[3]}, {0, 0}};
  Product product{toChannelsLast(x, loc), std::move(weights), window};
  product.result = x.shape;
  product.groups = channels;
  product.bias.assign(channels, 0);
  return product;
}

/// The factor goes into the weights' scales, its sign into the weights, the summand into the bias.
LogicalResult Importer::importBatchNormalization(const Node &node) {
  const Edge in = edge(node, 0);
  Product product = in.product ? *in.product : identityProduct(in.tensor, node.loc);
  Weights &weights = product.weights;
  const double inputScale = cast<QuantType>(product.x.elementType()).getScale();
  const int64_t channels = weights.channels(), each = weights.values.size() / channels;
  auto parameter = [&](int input, int64_t channel) {
    return double(edge(node, input).constant->floats[channel]);
  };
  Bias bias;
  std::vector<double> scales;
  for (int64_t c = 0; c < channels; ++c) {
    const double factor = normalizationFactor(node, c);
    const double summand = parameter(2, c) - parameter(3, c) * factor;
    scales.push_back(weights.scale(c) * std::abs(factor));
    bias.values.push_back(product.bias[c] * inputScale * weights.scale(c) * factor + summand);
    bias.scales.push_back(1);
    for (int64_t i = 0; i < each && factor < 0; ++i)
      weights.values[c * each + i] = static_cast<int16_t>(-weights.values[c * each + i]);
  }
  weights.scales = std::move(scales);
  std::vector<std::string> names = in.names;
  names.push_back(node.name);
  return pendProduct(node, std::move(product), bias, std::move(names));
}

Weights Importer::readWeights(const Node &node, int input) {
  const Edge &in = edge(node, input);
  Weights weights;
  weights.shape.assign(in.constant->shape.begin(), in.constant->shape.end());
  weights.values = centredWeights(in);
  weights.scales.assign(in.quantization.scales.begin(), in.quantization.scales.end());
  return weights;
}

double constantValue(const Edge &edge, int64_t at, size_t channel) {
  if (edge.kind != Edge::Kind::QuantizedConstant)
    return edge.constant->floats[at];
  return static_cast<double>(edge.constant->ints[at] - edge.quantization.zeroPoints[channel]);
}

FailureOr<Bias> Importer::readBias(const Node &node, int input, int64_t channels) {
  Bias bias;
  if (inputName(node, input).empty())
    return bias;
  const Edge &in = edge(node, input);
  const bool quantized = in.kind == Edge::Kind::QuantizedConstant;
  if (!quantized && !in.constant->isFloat())
    return fail(node) << "bias '" << inputName(node, input) << "' has type " << dtypeName(in.constant->dtype)
                      << "; expected float32, or int32 behind a DequantizeLinear";
  int64_t size = in.constant->size();
  const auto &shape = in.constant->shape;
  if ((size != channels && size != 1) || (size == channels && !shape.empty() && shape.back() != channels))
    return fail(node) << "bias '" << inputName(node, input) << "' has shape " << shapeText(shape)
                      << "; expected [" << channels << "]";
  for (int64_t c = 0; c < channels; ++c) {
    int64_t at = size == 1 ? 0 : c;
    size_t channel = quantized && in.quantization.scales.size() > 1 ? at : 0;
    bias.values.push_back(constantValue(in, at, channel));
    bias.scales.push_back(quantized ? in.quantization.scales[channel] : 1.0);
  }
  return bias;
}

LogicalResult Importer::setBias(const Node &node, Product &product, const Bias &bias) {
  int64_t channels = product.weights.channels();
  product.hasBias = !bias.values.empty();
  product.bias.assign(channels, 0);
  double inputScale = cast<QuantType>(product.x.elementType()).getScale();
  for (size_t c = 0; c < bias.values.size(); ++c) {
    double ratio = bias.scales[c] / (inputScale * product.weights.scale(c));
    if (std::abs(ratio - 1) < 1e-6) // the quantizer's own product of float32 scales
      ratio = 1;
    double value = std::nearbyint(bias.values[c] * ratio);
    if (!(std::abs(value) <= 2147483647.0))
      return fail(node) << "bias of output channel " << c << " is " << value
                        << " in units of the input's and weights' scale; expected it to fit 32 bits";
    product.bias[c] = static_cast<int32_t>(value);
  }
  return success();
}

LogicalResult Importer::pendProduct(const Node &node, Product product, const Bias &bias,
                                    std::vector<std::string> names) {
  if (failed(setBias(node, product, bias)))
    return failure();
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.tensor.shape = product.result;
  out.names = std::move(names);
  out.product = std::make_shared<Product>(std::move(product));
  out.emit = [this, product = out.product](const Output &output, Location loc) -> FailureOr<Tensor> {
    return emitProduct(loc, output, *product);
  };
  define(node, out);
  return success();
}

Tensor Importer::emitProduct(Location loc, const Output &output, const Product &product) {
  auto inputType = cast<QuantType>(product.x.elementType());
  const Weights &weights = product.weights;
  std::vector<double> biasScales;
  for (double scale : weights.scales)
    biasScales.push_back(scale * inputType.getScale());
  auto quantized = [&](unsigned bits, ArrayRef<double> scales) -> Type {
    Type storage = builder.getIntegerType(bits), real = builder.getF32Type();
    int64_t hi = (int64_t(1) << (bits - 1)) - 1;
    if (scales.size() == 1)
      return QuantType::get(quant::QuantizationFlags::Signed, storage, real, scales[0], 0, -hi - 1, hi);
    SmallVector<int64_t> zeroPoints(scales.size(), 0);
    return quant::UniformQuantizedPerAxisType::get(quant::QuantizationFlags::Signed, storage, real, scales,
                                                   zeroPoints, 0, -hi - 1, hi);
  };
  Value w = weights.fitInt8()
                ? constantOf<int8_t>(loc, weights.shape, {weights.values.begin(), weights.values.end()},
                                     quantized(8, weights.scales))
                : constantOf<int16_t>(loc, weights.shape, weights.values, quantized(16, weights.scales));
  auto biasValues = DenseElementsAttr::get(RankedTensorType::get({weights.channels()}, builder.getI32Type()),
                                           ArrayRef<int32_t>(product.bias));
  Value bias = builder.create<tosa::ConstOp>(
      loc, RankedTensorType::get({weights.channels()}, quantized(32, biasScales)), biasValues);
  Tensor result;
  if (product.window) {
    const Window &window = *product.window;
    result = Tensor{{}, product.result, Layout::ChannelsLast};
    auto type = RankedTensorType::get(
        {product.result[0], product.result[2], product.result[3], product.result[1]}, output.type);
    result.value = builder.create<qnn::ConvOp>(loc, type, product.x.value, w, bias, window.pad(),
                                               window.strides, window.dilations, product.groups);
    return clampTensor(result, output.lo, output.hi, loc);
  }
  auto xShape = cast<RankedTensorType>(product.x.value.getType()).getShape();
  auto type = RankedTensorType::get({xShape[0], weights.channels()}, output.type);
  result = Tensor{builder.create<qnn::MatmulOp>(loc, type, product.x.value, w, bias),
                  {xShape[0], weights.channels()}};
  return reshapeValue(clampTensor(result, output.lo, output.hi, loc), product.result, loc);
}

LogicalResult Importer::importConv(const Node &node) {
  const Tensor x = edge(node, 0).tensor;
  Weights weights = readWeights(node, 1);
  const int64_t groups = intAttribute(node, "group", 1);
  const Shape shape = weights.shape;
  FailureOr<Window> window = windowOf(node, x.shape, {shape[2], shape[3]});
  if (failed(window))
    return failure();
  FailureOr<Bias> bias = readBias(node, 2, shape[0]);
  if (failed(bias))
    return failure();
  weights.values = swapInner(weights.values, shape[0], shape[1], shape[2] * shape[3]);
  weights.shape = {shape[0], shape[2], shape[3], shape[1]};
  Product product{toChannelsLast(x, node.loc), weights, *window};
  product.result = {x.shape[0], shape[0], window->output[0], window->output[1]};
  product.groups = groups;
  return pendProduct(node, product, *bias, {node.name});
}

/// `weights` is [K,N], or [N,K] where `weightsTransposed`.
Product Importer::matrixProduct(const Node &node, Weights weights, bool weightsTransposed) {
  const Tensor x = edge(node, 0).tensor;
  if (!weightsTransposed) {
    weights.values = swapInner(weights.values, 1, weights.shape[0], weights.shape[1]);
    std::swap(weights.shape[0], weights.shape[1]);
  }
  int64_t n = weights.shape[0], k = weights.shape[1];
  Product product{x, std::move(weights), std::nullopt};
  product.result = x.shape;
  product.result.back() = n;
  if (x.layout == Layout::FlatChannelsLast) { // the weights' columns take over the order of the activations
    auto shape = cast<RankedTensorType>(x.value.getType()).getShape();
    product.weights.values = swapInner(product.weights.values, n, shape[3], shape[1] * shape[2]);
    product.x.layout = Layout::RowMajor;
  } else {
    product.x = toRowMajor(x, node.loc);
  }
  product.x = reshapeValue(product.x, {elementCount({x.shape.begin(), x.shape.end()}) / k, k}, node.loc);
  return product;
}

LogicalResult Importer::importGemm(const Node &node) {
  const bool transposed = intAttribute(node, "transB", 0) != 0;
  Product product = matrixProduct(node, readWeights(node, 1), transposed);
  FailureOr<Bias> bias = readBias(node, 2, product.weights.channels());
  if (failed(bias))
    return failure();
  return pendProduct(node, std::move(product), *bias, {node.name});
}

LogicalResult Importer::importMatMul(const Node &node) {
  return pendProduct(node, matrixProduct(node, readWeights(node, 1), false), {}, {node.name});
}

} // namespace daedalus::onnximport
