// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear. Bodies are for scales and zero points that come
// at run time, or that no type of the quant dialect describes.

#include "OperatorTable.h"
#include "Quantization/Import.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

constexpr int32_t Float = onnx::TensorProto::FLOAT, Int32 = onnx::TensorProto::INT32;

/// A scale, or a zero point, is one number, or one for each index of the axis; both alike.
bool parameters(C &c) {
  for (size_t input : {1, 2})
    if (c.has(input) && c.rank(input) > 1)
      return c.fail("parameter '" + c.name(input) + "' has shape " + shapeText(c.shape(input)) +
                    "; expected a scalar or one dimension");
  if (c.has(2) && c.elements(2) != c.elements(1))
    return c.fail("has " + Twine(c.elements(1)) + " scales and " + Twine(c.elements(2)) +
                  " zero points; expected as many");
  if (c.elements(1) == 1)
    return true;
  int64_t axis = 0;
  if (!c.axis("axis", 1, c.rank(0), axis))
    return false;
  return c.shape(0)[axis] == c.elements(1) ||
         c.fail("has " + Twine(c.elements(1)) + " scales for axis " + Twine(axis) + " of a tensor of shape " +
                shapeText(c.shape(0)) + "; expected " + Twine(c.shape(0)[axis]) + " or one");
}

bool positiveScales(C &c) {
  if (const HostTensor *scales = c.constant(1))
    for (float scale : scales->floats)
      if (!(scale > 0) || std::isinf(scale))
        return c.fail("scale '" + c.name(1) + "' holds " + std::to_string(scale) +
                      "; expected a positive number");
  return true;
}

/// Attributes of newer opsets, where they say what the older ones mean.
bool isPlain(C &c, Text key, int64_t same, Text expected) {
  const int64_t value = c.integer(key, 0);
  return value == 0 || value == same || c.failAttribute(key, Twine(value), expected);
}

bool quantize(C &c) {
  c.outputs[0].dtype = quantizedType(c.node, c.dtype(2));
  if (c.has(2) && c.outputs[0].dtype != c.dtype(2))
    return c.failAttribute("output_dtype", Twine(c.integer("output_dtype", 0)),
                           Twine(c.dtype(2)) + " (" + dtypeName(c.dtype(2)) +
                               "), the type of the zero point");
  if (!isPlain(c, "block_size", 0, "0: blocks with a scale of their own are not supported") ||
      !isPlain(c, "precision", onnx::TensorProto::FLOAT, "0 or 1 (float32)"))
    return false;
  return c.isFlag("saturate") && parameters(c) && positiveScales(c) && c.like(0);
}

bool dequantize(C &c) {
  const int32_t given = typeAttribute(c.node, "output_dtype", 0);
  if (given && !isFloat32Type(given))
    return c.failAttribute("output_dtype", Twine(c.integer("output_dtype", 0)),
                           "0, 1 (float32), 10 (float16) or 16 (bfloat16)");
  c.outputs[0].dtype = given ? given : c.dtype(1);
  if (!isPlain(c, "block_size", 0, "0: blocks with a scale of their own are not supported"))
    return false;
  return parameters(c) && positiveScales(c) && c.like(0);
}

bool dynamicQuantize(C &c) {
  return c.like(0) && c.output(1, {}) && c.output(2, {}) && c.isNotEmpty(0);
}

/// A scale or zero point: one, or one an index along `axis`.
Read readParameter(K &k, size_t input) {
  if (product(k.shape(input)) == 1)
    return k.readScalar(input);
  return k.read(input, k.loops(k.output.shape.size(), k.axis(k.integer("axis", 1), k.rank(0))));
}

Value roundEven(K &k, Value x) {
  return k.b.create<math::RoundEvenOp>(k.loc, x);
}

/// saturate(round(x / scale) + zero point), the sum in float32 as long as it can be held exactly: beyond it
/// saturates.
Value quantized(K &k, Value x, Value scale, Value zeroPoint, int32_t to) {
  Value sum = k.add(roundEven(k, k.div(x, scale)), zeroPoint);
  return k.convert(sum, Float, to);
}

/// The input, its scale, and its zero point if there is one.
SmallVector<Read> readAll(K &k) {
  SmallVector<Read> reads{k.read(0), readParameter(k, 1)};
  if (k.has(2))
    reads.push_back(readParameter(k, 2));
  return reads;
}

Value quantizeLinear(K &k) {
  return k.elementwiseOutput(readAll(k), [&](ValueRange x) {
    Value offset = k.has(2) ? k.convert(x[2], k.dtype(2), Float) : k.f32(0);
    return quantized(k, k.convert(x[0], k.dtype(0), Float), x[1], offset, k.output.dtype);
  });
}

Value dequantizeLinear(K &k) {
  return k.elementwiseOutput(readAll(k), [&](ValueRange x) {
    Value value = k.convert(x[0], k.dtype(0), Int32);
    if (k.has(2))
      value = k.sub(value, k.convert(x[2], k.dtype(2), Int32));
    return k.mul(k.convert(value, Int32, Float), x[1]);
  });
}

/// Extreme of all elements and zero.
Value extreme(K &k, bool isMax) {
  SmallVector<unsigned> all(k.rank(0));
  std::iota(all.begin(), all.end(), 0);
  return k.reduce(k.in(0), all, k.f32(0),
                  [&](Value acc, Value x) { return isMax ? k.max(acc, x) : k.min(acc, x); });
}

/// To uint8, with the scale and zero point of this very tensor: outputs y, its scale, its zero point.
Value dynamicQuantizeLinear(K &k) {
  Type f32 = k.b.getF32Type();
  const auto one = [&](Value scalar, Sizes shape = {}) { return k.broadcast(scalar, shape); };
  Value least = extreme(k, false), most = extreme(k, true);
  Value scale = k.elementwise({}, f32, {one(most), one(least)},
                              [&](ValueRange x) { return k.div(k.sub(x[0], x[1]), k.f32(255)); });
  Value zero = k.elementwise({}, f32, {one(least), one(scale)}, [&](ValueRange x) {
    Value offset = k.sub(k.f32(0), k.div(x[0], x[1]));
    return roundEven(k, k.clamp(offset, k.f32(0), k.f32(255)));
  });
  if (k.outputIndex == 1)
    return scale;
  if (k.outputIndex == 2)
    return k.elementwiseOutput(one(zero),
                               [&](ValueRange x) { return k.convert(x[0], Float, k.output.dtype); });
  return k.elementwiseOutput({k.read(0), one(scale, k.output.shape), one(zero, k.output.shape)},
                             [&](ValueRange x) { return quantized(k, x[0], x[1], x[2], k.output.dtype); });
}

} // namespace

void addQuantization(Operators &all) {
  all["DequantizeLinear"] = {10, dequantize, dequantizeLinear, importDequantize,
                             "joined to the operator behind"};
  all["DynamicQuantizeLinear"] = {11, dynamicQuantize, dynamicQuantizeLinear};
  all["QuantizeLinear"] = {10, quantize, quantizeLinear, importQuantize, "joined to the operator before"};
}

} // namespace daedalus::onnximport
