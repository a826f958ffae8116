// Quantization with scales and zero points that come at run time, or that no fused group takes.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
constexpr int32_t Float = onnx::TensorProto::FLOAT, Int32 = onnx::TensorProto::INT32;

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

void addQuantization(Builds &builds) {
  builds.insert({{"DequantizeLinear", dequantizeLinear},
                 {"DynamicQuantizeLinear", dynamicQuantizeLinear},
                 {"QuantizeLinear", quantizeLinear}});
}

} // namespace daedalus::onnximport
