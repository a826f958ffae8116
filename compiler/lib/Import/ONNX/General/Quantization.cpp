// Quantization with scales and zero points that come at run time, or that no fused group takes.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
constexpr int32_t Float = onnx::TensorProto::FLOAT, Int32 = onnx::TensorProto::INT32;

/// The index into a scale or zero point: none, the first, or along `axis`.
Indices parameterIndex(K &k, size_t input, const Indices &at) {
  if (k.rank(input) == 0)
    return {};
  if (product(k.shape(input)) == 1)
    return Indices(k.rank(input), k.index(0));
  return {at[k.axis(k.integer("axis", 1), k.rank(0))]};
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

Value quantizeLinear(K &k) {
  Value x = k.in(0), scale = k.in(1), zero = k.has(2) ? k.in(2) : Value();
  return k.computeOutput([&](const Indices &at) {
    Value value = k.convert(k.read(x, at), k.dtype(0), Float);
    Value offset = zero ? k.convert(k.read(zero, parameterIndex(k, 2, at)), k.dtype(2), Float)
                        : k.number(0, k.b.getF32Type());
    return quantized(k, value, k.read(scale, parameterIndex(k, 1, at)), offset, k.output.dtype);
  });
}

Value dequantizeLinear(K &k) {
  Value x = k.in(0), scale = k.in(1), zero = k.has(2) ? k.in(2) : Value();
  return k.computeOutput([&](const Indices &at) {
    Value value = k.convert(k.read(x, at), k.dtype(0), Int32);
    if (zero)
      value = k.sub(value, k.convert(k.read(zero, parameterIndex(k, 2, at)), k.dtype(2), Int32));
    return k.mul(k.convert(value, Int32, Float), k.read(scale, parameterIndex(k, 1, at)));
  });
}

/// Extreme of all elements and zero.
Value extreme(K &k, bool isMax) {
  Value zero = k.number(0, k.b.getF32Type()), x = k.in(0);
  return k.reduce({}, k.shape(0), zero, [&](const Indices &, const Indices &over, Value acc) {
    return isMax ? k.max(acc, k.read(x, over)) : k.min(acc, k.read(x, over));
  });
}

/// To uint8, with the scale and zero point of this very tensor: outputs y, its scale, its zero point.
Value dynamicQuantizeLinear(K &k) {
  Type f32 = k.b.getF32Type();
  Value least = extreme(k, false), most = extreme(k, true), steps = k.number(255, f32),
        none = k.number(0, f32);
  Value scale = k.compute(
      {}, f32, [&](const Indices &) { return k.div(k.sub(k.read(most, {}), k.read(least, {})), steps); });
  Value zero = k.compute({}, f32, [&](const Indices &) {
    Value offset = k.sub(none, k.div(k.read(least, {}), k.read(scale, {})));
    return roundEven(k, k.clamp(offset, none, steps));
  });
  if (k.outputIndex == 1)
    return scale;
  if (k.outputIndex == 2)
    return k.computeOutput(
        [&](const Indices &) { return k.convert(k.read(zero, {}), Float, k.output.dtype); });
  Value x = k.in(0);
  return k.computeOutput([&](const Indices &at) {
    return quantized(k, k.read(x, at), k.read(scale, {}), k.read(zero, {}), k.output.dtype);
  });
}

} // namespace

void addQuantization(Builds &builds) {
  builds.insert({{"DequantizeLinear", dequantizeLinear},
                 {"DynamicQuantizeLinear", dynamicQuantizeLinear},
                 {"QuantizeLinear", quantizeLinear}});
}

} // namespace daedalus::onnximport
