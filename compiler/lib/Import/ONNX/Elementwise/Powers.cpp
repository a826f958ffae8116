// Pow.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// x^y as e^(y log |x|), with the sign of an odd y; of a negative x and a fraction it is a NaN.
Value powerOf(K &k, Value x, Value y) {
  Value zero = k.f32(0), one = k.f32(1), half = k.mul(y, k.f32(0.5));
  Value size = k.absolute(x);
  Value value = k.exp(k.mul(y, k.log(size)));
  Value isWhole = k.compare(Compare::Equal, y, k.b.create<math::FloorOp>(k.loc, y));
  Value isEven = k.compare(Compare::Equal, half, k.b.create<math::FloorOp>(k.loc, half));
  Value negative = k.select(isEven, value, k.sub(zero, value));
  negative = k.select(isWhole, negative, k.f32(std::numeric_limits<double>::quiet_NaN()));
  Value atZero =
      k.select(k.compare(Compare::Less, y, zero), k.f32(std::numeric_limits<double>::infinity()), zero);
  Value result = k.select(k.compare(Compare::Less, x, zero), negative, value);
  result = k.select(k.compare(Compare::Equal, x, zero), atZero, result);
  return k.select(k.compare(Compare::Equal, y, zero), one, result);
}

/// x^n of integers modulo 2^bits, by squares; of a negative n it is 1 / x, towards 0.
Value integerPowerOf(K &k, Value x, Value n) {
  Type type = x.getType(), counted = n.getType();
  Value one = k.number(1, type), zero = k.number(0, type);
  Value result = one, square = x;
  for (unsigned bit = 0; bit + 1 < counted.getIntOrFloatBitWidth(); ++bit) {
    Value mask = k.b.create<arith::ConstantOp>(k.loc, k.b.getIntegerAttr(counted, int64_t(1) << bit));
    Value isSet = k.truth(k.b.create<arith::AndIOp>(k.loc, n, mask));
    result = k.select(isSet, k.mul(result, square), result);
    square = k.mul(square, square);
  }
  // 1 and -1 are their own inverses, and what else there is has none.
  Value isUnit = k.either(k.equal(x, one), k.equal(x, k.number(-1, type)));
  Value odd = k.truth(k.b.create<arith::AndIOp>(k.loc, n, k.number(1, counted)));
  Value inverse = k.select(isUnit, k.select(odd, x, one), zero);
  return k.select(k.compare(Compare::Less, n, k.number(0, counted)), inverse, result);
}

/// Of an integer and any exponent; only of a whole one it is exact.
Value powerOfInteger(K &k, Value x, Value y) {
  constexpr int32_t Float = onnx::TensorProto::FLOAT, Whole = onnx::TensorProto::INT64;
  Value exact = integerPowerOf(k, x, k.convert(y, k.dtype(1), Whole));
  if (!isFloatType(k.dtype(1)))
    return exact;
  Value real = powerOf(k, k.convert(x, k.dtype(0), Float), k.convert(y, k.dtype(1), Float));
  Value isWhole = k.compare(Compare::Equal, y, k.b.create<math::FloorOp>(k.loc, y));
  return k.select(isWhole, exact, k.convert(real, Float, k.dtype(0)));
}

Value power(K &k) {
  if (k.dtype(0) == onnx::TensorProto::DOUBLE)
    return k.refuseType(0, "float32 or an integer type");
  return k.binaryOutput([&](Value x, Value y) {
    if (!isFloatType(k.dtype(0)))
      return powerOfInteger(k, x, y);
    return powerOf(k, x, k.convert(y, k.dtype(1), onnx::TensorProto::FLOAT));
  });
}

} // namespace

void addPowers(Operators &all) {
  all["Pow"] = {1, binary, power, nullptr, "accelerator by a table, with a scalar"};
}

} // namespace daedalus::onnximport
