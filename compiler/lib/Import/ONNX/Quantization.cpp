// QuantizeLinear, DequantizeLinear, and the ranges that Relu and Clip leave.

#include "Importer.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;

namespace daedalus::onnximport {

int64_t quantizeValue(float x, float scale, int64_t zeroPoint) {
  double rounded = std::nearbyint(x / scale) + static_cast<double>(zeroPoint);
  return std::isnan(rounded) ? zeroPoint : static_cast<int64_t>(std::min(127.0, std::max(-128.0, rounded)));
}

FailureOr<Quantization> Importer::readQuantization(const Node &node, const std::vector<int64_t> &shape) {
  Quantization result;
  HostTensorPtr scale = constantInput(node, 1), zeroPoint = constantInput(node, 2);
  if (!scale || !scale->isFloat())
    return fail(node) << "scale '" << inputName(node, 1) << "' is not a constant of type float32";
  if (!zeroPoint && !inputName(node, 2).empty())
    return fail(node) << "zero point '" << inputName(node, 2) << "' is not a constant";
  result.scales = scale->floats;
  if (zeroPoint)
    result.zeroPoints.assign(zeroPoint->ints.begin(), zeroPoint->ints.end());
  else
    result.zeroPoints.assign(result.scales.size(), 0);
  for (float value : result.scales)
    if (!(value > 0) || std::isinf(value))
      return fail(node) << "scale '" << inputName(node, 1) << "' holds " << std::to_string(value)
                        << "; expected a positive number";
  if (result.zeroPoints.size() != result.scales.size())
    return fail(node) << "has " << result.scales.size() << " scales and " << result.zeroPoints.size()
                      << " zero points; expected as many";
  int64_t rank = shape.size();
  result.axis = intAttribute(node, "axis", 1);
  if (result.axis < 0)
    result.axis += rank;
  if (result.scales.size() != 1 && (result.axis < 0 || result.axis >= rank ||
                                    shape[result.axis] != static_cast<int64_t>(result.scales.size())))
    return fail(node) << "has " << result.scales.size() << " scales for axis " << result.axis
                      << " of a tensor of shape " << shapeText(shape);
  return result;
}

/// The type of a node's zero point: that of its quantized side.
static int32_t quantizedType(const HostTensorPtr &zeroPoint, int32_t otherwise) {
  return zeroPoint ? zeroPoint->dtype : otherwise;
}

/// Stored as int8: uint8 less 128.
QuantType Importer::activationType(const Quantization &quantization, int32_t dtype) {
  const int64_t shift = dtype == onnx::TensorProto::UINT8 ? 128 : 0;
  return QuantType::get(quant::QuantizationFlags::Signed, builder.getI8Type(), builder.getF32Type(),
                        quantization.scales[0], quantization.zeroPoints[0] - shift, -128, 127);
}

/// One scale for the whole tensor, to or from int8 or uint8; constants may have one a channel.
bool Importer::quantizesWhole(const Node &node) {
  const Edge &in = edge(node, 0);
  const bool quantizes = node.proto.op_type() == "QuantizeLinear";
  const HostTensorPtr zeroPoint = constantInput(node, 2);
  const bool isStored = in.kind == Edge::Kind::Plain || in.kind == Edge::Kind::Integer;
  const int32_t other = quantizes ? int32_t(onnx::TensorProto::UINT8) : in.dtype;
  if (in.kind == Edge::Kind::Constant)
    return in.constant->isFloat() == quantizes;
  if (edge(node, 1).constant->size() != 1 || in.tensor.shape.empty())
    return false;
  const int32_t dtype = quantizedType(zeroPoint, other);
  const bool isByte = dtype == onnx::TensorProto::INT8 || dtype == onnx::TensorProto::UINT8;
  if (quantizes)
    return isByte && (!isStored || (in.kind == Edge::Kind::Plain && in.dtype == onnx::TensorProto::FLOAT));
  return isByte && isStored && in.dtype == dtype;
}

LogicalResult Importer::quantizeConstant(const Node &node, const HostTensor &input, const Quantization &to) {
  auto tensor = std::make_shared<HostTensor>();
  tensor->dtype = quantizedType(constantInput(node, 2), onnx::TensorProto::UINT8);
  const int64_t shift = tensor->dtype == onnx::TensorProto::UINT8 ? 128 : 0;
  if (!shift && tensor->dtype != onnx::TensorProto::INT8)
    return fail(node) << "gives constants of type " << dtypeName(tensor->dtype) << "; expected int8 or uint8";
  tensor->shape = input.shape;
  const ChannelOf channelOf(input.shape, to);
  const auto quantized = [&](auto type) {
    std::vector<decltype(type)> values(input.floats.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t channel = channelOf(i);
      values[i] = quantizeValue(input.floats[i], to.scales[channel], to.zeroPoints[channel] - shift) + shift;
    }
    return values;
  };
  if (shift)
    tensor->ints = quantized(uint8_t());
  else
    tensor->ints = quantized(int8_t());
  Edge edge;
  edge.kind = Edge::Kind::Constant;
  edge.constant = tensor;
  define(node, edge);
  return success();
}

Tensor Importer::clampTensor(Tensor tensor, int64_t lo, int64_t hi, Location loc) {
  if (lo <= -128 && hi >= 127)
    return tensor;
  auto type = cast<QuantType>(tensor.elementType());
  auto real = [&](int64_t q) { return builder.getF32FloatAttr((q - type.getZeroPoint()) * type.getScale()); };
  tensor.value =
      builder.create<tosa::ClampOp>(loc, tensor.value.getType(), tensor.value, builder.getI64IntegerAttr(lo),
                                    builder.getI64IntegerAttr(hi), real(lo), real(hi));
  return tensor;
}

LogicalResult Importer::importQuantize(const Node &node) {
  const Edge &in = edge(node, 0);
  if (in.kind == Edge::Kind::Constant && in.constant->isFloat()) {
    FailureOr<Quantization> to = readQuantization(node, in.constant->shape);
    return failed(to) ? failure() : quantizeConstant(node, *in.constant, *to);
  }
  std::vector<int64_t> shape(in.tensor.shape.begin(), in.tensor.shape.end());
  FailureOr<Quantization> quantization = readQuantization(node, shape);
  if (failed(quantization))
    return failure();
  const int32_t dtype = quantizedType(constantInput(node, 2), onnx::TensorProto::UINT8);
  const QuantType type = activationType(*quantization, dtype);
  const float scale = quantization->scales[0];
  const int64_t zeroPoint = type.getZeroPoint();
  Output output{type, quantizeValue(in.lo, scale, zeroPoint), quantizeValue(in.hi, scale, zeroPoint)};
  Location loc = in.names.empty() ? node.loc : locationOf(in.names);
  Edge out;
  out.kind = Edge::Kind::Integer;
  out.dtype = dtype;
  if (in.kind == Edge::Kind::Pending) {
    FailureOr<Tensor> tensor = in.emit(output, loc);
    if (failed(tensor))
      return failure();
    out.tensor = *tensor;
  } else if (in.kind == Edge::Kind::Real) {
    out.tensor = in.tensor;
    if (in.tensor.elementType() != type)
      out.tensor.value = builder.create<tosa::CastOp>(
          loc, cast<RankedTensorType>(in.tensor.value.getType()).clone(Type(type)), in.tensor.value);
    out.tensor = clampTensor(out.tensor, output.lo, output.hi, loc);
  } else {
    out.tensor = in.tensor;
    out.tensor.value = builder.create<quant::QuantizeCastOp>(
        loc, RankedTensorType::get(in.tensor.shape, type), in.tensor.value);
    out.tensor = toChannelsLast(out.tensor, loc);
  }
  define(node, out);
  return success();
}

LogicalResult Importer::importDequantize(const Node &node) {
  const Edge &in = edge(node, 0);
  Edge out;
  if (in.kind == Edge::Kind::Constant && !in.constant->isFloat()) {
    FailureOr<Quantization> quantization = readQuantization(node, in.constant->shape);
    if (failed(quantization))
      return failure();
    out.kind = Edge::Kind::QuantizedConstant;
    out.constant = in.constant;
    out.quantization = *quantization;
    define(node, out);
    return success();
  }
  std::vector<int64_t> shape(in.tensor.shape.begin(), in.tensor.shape.end());
  FailureOr<Quantization> quantization = readQuantization(node, shape);
  if (failed(quantization))
    return failure();
  const QuantType type = activationType(*quantization, in.dtype);
  out.kind = Edge::Kind::Real;
  out.tensor = in.tensor;
  if (in.kind == Edge::Kind::Plain && in.dtype == onnx::TensorProto::UINT8)
    out.tensor.value = flipSign(out.tensor.value, node.loc);
  auto cast = [&](Type element) {
    auto to = mlir::cast<RankedTensorType>(out.tensor.value.getType()).clone(element);
    out.tensor.value = builder.create<quant::StorageCastOp>(node.loc, to, out.tensor.value);
  };
  if (in.tensor.elementType() != type) {
    if (in.tensor.elementType() != builder.getI8Type())
      cast(builder.getI8Type());
    cast(type);
  }
  out.tensor = toChannelsLast(out.tensor, node.loc);
  define(node, out);
  return success();
}

LogicalResult Importer::importClamp(const Node &node) {
  const Edge &in = edge(node, 0);
  float lo = 0, hi = std::numeric_limits<float>::infinity();
  if (node.proto.op_type() == "Clip") {
    float bounds[2] = {floatAttribute(node, "min", -hi), floatAttribute(node, "max", hi)};
    for (int i = 0; i < 2; ++i) {
      if (inputName(node, 1 + i).empty())
        continue;
      const Edge &bound = edge(node, 1 + i);
      if (bound.kind == Edge::Kind::Constant && bound.constant->isFloat() && bound.constant->size() == 1)
        bounds[i] = bound.constant->floats[0];
      else if (bound.kind == Edge::Kind::QuantizedConstant && bound.constant->size() == 1)
        bounds[i] =
            (bound.constant->ints[0] - bound.quantization.zeroPoints[0]) * bound.quantization.scales[0];
      else
        return fail(node) << "bound '" << inputName(node, 1 + i) << "' is not a constant float32 scalar";
    }
    lo = std::min(bounds[0], bounds[1]); // Clip is min(max(x, lo), hi)
    hi = bounds[1];
  }
  Edge out = in;
  out.lo = std::min(std::max(in.lo, lo), hi);
  out.hi = std::min(std::max(in.hi, lo), hi);
  out.names.push_back(node.name);
  define(node, out);
  return success();
}

} // namespace daedalus::onnximport
