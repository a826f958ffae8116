// See Import.h.

#include "Quantization/Import.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Quant/QuantTypes.h"

#include <cmath>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using onnx::TensorProto;

/// Scales and zero points: one, or one for each index of `axis`.
struct Quantization {
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;
  int64_t axis = 0;
};

FailureOr<Quantization> readQuantization(Importer &im, const Node &node, const Shape &shape) {
  Quantization result;
  const HostTensorPtr scale = im.constantInput(node, 1), zeroPoint = im.constantInput(node, 2);
  if (!scale->isFloat())
    return im.fail(node) << "scale '" << im.inputName(node, 1)
                         << "' is not known; expected a constant of type float32";
  result.scales = scale->floats;
  if (zeroPoint)
    result.zeroPoints.assign(zeroPoint->ints.begin(), zeroPoint->ints.end());
  else
    result.zeroPoints.assign(result.scales.size(), 0);
  for (float value : result.scales)
    if (!(value > 0) || std::isinf(value))
      return im.fail(node) << "scale '" << im.inputName(node, 1) << "' holds " << std::to_string(value)
                           << "; expected a positive number";
  const int64_t rank = shape.size();
  result.axis = intAttribute(node, "axis", 1);
  if (result.axis < 0)
    result.axis += rank;
  return result;
}

/// int8, uint8 or int32 with these scales.
Type quantizedType(Importer &im, const Quantization &quantization, int32_t dtype) {
  const bool isSigned = dtype != TensorProto::UINT8;
  const unsigned bits = dtype == TensorProto::INT32 ? 32 : 8,
                 flags = isSigned ? quant::QuantizationFlags::Signed : 0;
  const int64_t lo = isSigned ? -(int64_t(1) << (bits - 1)) : 0, hi = lo + (int64_t(1) << bits) - 1;
  const Type storage = im.builder.getIntegerType(bits), real = im.builder.getF32Type();
  if (quantization.scales.size() == 1)
    return quant::UniformQuantizedType::get(flags, storage, real, quantization.scales[0],
                                            quantization.zeroPoints[0], lo, hi);
  const SmallVector<double> scales(quantization.scales.begin(), quantization.scales.end());
  return quant::UniformQuantizedPerAxisType::get(flags, storage, real, scales, quantization.zeroPoints,
                                                 static_cast<int32_t>(quantization.axis), lo, hi);
}

/// Whether scale and zero point are constants, the quantized side is one that types of the quant dialect
/// describe, and what is computed has one scale: one a channel is for constants.
bool isQuantized(Importer &im, const Node &node) {
  const HostTensorPtr scale = im.constantInput(node, 1), zeroPoint = im.constantInput(node, 2);
  if (!scale || (im.has(node, 2) && !zeroPoint) || isHalfType(scale->dtype))
    return false;
  const bool quantizes = node.proto.op_type() == "QuantizeLinear";
  const OnnxValue &in = im.known(node, 0);
  const int32_t stored = zeroPoint ? zeroPoint->dtype : 0,
                dtype = quantizes ? onnximport::quantizedType(node, stored)
                        : stored  ? stored
                                  : in.dtype;
  const bool isByte = dtype == TensorProto::INT8 || dtype == TensorProto::UINT8;
  if (quantizes ? in.dtype != TensorProto::FLOAT : in.dtype != dtype)
    return false;
  if (in.isConstant)
    return isByte || (!quantizes && dtype == TensorProto::INT32);
  return isByte && scale->size() == 1 && !in.shape.empty();
}

} // namespace

Covered importQuantize(Importer &im, const Node &node) {
  if (!isQuantized(im, node))
    return false;
  const Shape shape = im.known(node, 0).shape;
  const bool isConstant = im.known(node, 0).isConstant;
  FailureOr<Quantization> to = readQuantization(im, node, shape);
  if (failed(to))
    return failure();
  const HostTensorPtr zeroPoint = im.constantInput(node, 2);
  const int32_t dtype = onnximport::quantizedType(node, zeroPoint ? zeroPoint->dtype : 0);
  Value real = im.valueOf(node, 0);
  im.define(node, im.builder.create<quant::QuantizeCastOp>(
                      node.loc, RankedTensorType::get(shape, quantizedType(im, *to, dtype)), real));
  OnnxValue &out = im.output(node);
  out.dtype = dtype;
  out.isConstant = isConstant;
  return true;
}

Covered importDequantize(Importer &im, const Node &node) {
  if (!isQuantized(im, node))
    return false;
  const OnnxValue in = im.known(node, 0);
  FailureOr<Quantization> from = readQuantization(im, node, in.shape);
  if (failed(from))
    return failure();
  const Type type = quantizedType(im, *from, in.dtype);
  if (in.constant && !in.quantized) {
    OnnxValue &out = im.output(node);
    out = OnnxValue();
    out.dtype = TensorProto::FLOAT;
    out.shape = in.shape;
    out.constant = in.constant;
    out.quantized = type;
    out.dequantize = node.name;
    out.isConstant = true;
    return true;
  }
  Value value = im.valueOf(node, 0);
  auto shaped = cast<RankedTensorType>(value.getType());
  const auto castTo = [&](Type element) {
    if (cast<RankedTensorType>(value.getType()).getElementType() != element)
      value = im.builder.create<quant::StorageCastOp>(node.loc, shaped.clone(element), value);
  };
  if (shaped.getElementType() != type) {
    castTo(im.builder.getIntegerType(cast<quant::QuantizedType>(type).getStorageTypeIntegralWidth()));
    castTo(type);
  }
  im.define(node, im.builder.create<quant::DequantizeCastOp>(node.loc, im.realType(in.shape), value));
  im.output(node).isConstant = in.isConstant;
  return true;
}

} // namespace daedalus::onnximport
