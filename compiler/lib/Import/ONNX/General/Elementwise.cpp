// Operators of several tensors whose output's element depends on one element of each, by numpy's broadcast.

#include "Builds.h"
#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

Value add(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.add(x, y); });
}
Value sub(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.sub(x, y); });
}
Value mul(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.mul(x, y); });
}
Value div(K &k) {
  return k.binaryOutput([&](Value x, Value y) { return k.div(x, y, isUnsignedType(k.dtype(0))); });
}

/// The first input with the gate of a swish, times the second.
Value swiGlu(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const float alpha = k.real("alpha", 1);
  return k.binaryOutput(
      [&](Value x, Value y) { return k.mul(k.mul(x, sigmoidOf(k, k.mul(k.f32(alpha), x))), y); });
}

/// Up to opset 6 the slope is one number, or one a channel.
Value prelu(K &k) {
  const bool byChannel = k.node.opset < 7 && product(k.shape(1)) != 1;
  const Read slopes = byChannel ? k.read(1, k.loops(k.output.shape.size(), 1)) : k.read(1);
  return k.elementwiseOutput({k.read(0), slopes}, [&](ValueRange elements) {
    Value x = elements[0], slope = elements[1];
    return k.select(k.compare(Compare::Less, x, k.number(0, x.getType())), k.mul(slope, x), x);
  });
}

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

template <Compare how> Value comparison(K &k) {
  return k.binaryOutput(
      [&](Value x, Value y) { return k.stored(k.compare(how, x, y, isUnsignedType(k.dtype(0)))); });
}

template <class Op> Value logical(K &k) {
  return k.binaryOutput([&](Value x, Value y) -> Value { return k.b.create<Op>(k.loc, x, y); });
}

/// Of one or more inputs; `last` makes the output of what f has joined.
template <class F, class L> Value variadic(K &k, F f, L last) {
  SmallVector<Read> inputs;
  for (size_t i = 0; i < k.operands.size(); ++i)
    inputs.push_back(k.read(i));
  return k.elementwiseOutput(inputs, [&](ValueRange elements) {
    Value result = elements[0];
    for (Value element : elements.drop_front())
      result = f(result, element);
    return last(result);
  });
}
template <class F> Value variadic(K &k, F f) {
  return variadic(k, f, [](Value x) { return x; });
}

Value minimum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.min(x, y, isUnsignedType(k.dtype(0))); });
}
Value maximum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.max(x, y, isUnsignedType(k.dtype(0))); });
}
Value sum(K &k) {
  return variadic(k, [&](Value x, Value y) { return k.add(x, y); });
}

Value mean(K &k) {
  const auto quotient = [&](Value sum) {
    return k.div(sum, k.number(double(k.operands.size()), sum.getType()));
  };
  return variadic(
      k, [&](Value x, Value y) { return k.add(x, y); }, quotient);
}

/// Input 1 gives the type alone.
Value castLike(K &k) {
  return k.elementwiseOutput(k.read(0),
                             [&](ValueRange x) { return k.convert(x[0], k.dtype(0), k.output.dtype); });
}

Value where(K &k) {
  return k.elementwiseOutput({k.read(0), k.read(1), k.read(2)},
                             [&](ValueRange x) { return k.select(k.truth(x[0]), x[1], x[2]); });
}

/// The bounds are attributes up to opset 6, and inputs that may come at run time from 11 on.
Value clip(K &k) {
  const auto isThere = [&](size_t input, const char *name) {
    return k.has(input) || attribute(k.node, name);
  };
  const auto bound = [&](size_t input, const char *name) {
    return k.has(input) ? k.readScalar(input) : k.read(k.real(name, 0), k.elementType(0));
  };
  const bool isUnsigned = isUnsignedType(k.dtype(0)), hasLeast = isThere(1, "min"),
             hasMost = isThere(2, "max");
  SmallVector<Read> reads{k.read(0)};
  if (hasLeast)
    reads.push_back(bound(1, "min"));
  if (hasMost)
    reads.push_back(bound(2, "max"));
  return k.elementwiseOutput(reads, [&](ValueRange elements) {
    Value x = elements[0];
    x = hasLeast ? k.max(x, elements[1], isUnsigned) : x;
    return hasMost ? k.min(x, elements.back(), isUnsigned) : x;
  });
}

} // namespace

void addElementwise(Builds &builds) {
  builds.insert({{"Add", add},
                 {"And", logical<arith::AndIOp>},
                 {"CastLike", castLike},
                 {"Clip", clip},
                 {"Div", div},
                 {"Equal", comparison<Compare::Equal>},
                 {"Greater", comparison<Compare::Greater>},
                 {"GreaterOrEqual", comparison<Compare::GreaterOrEqual>},
                 {"Less", comparison<Compare::Less>},
                 {"LessOrEqual", comparison<Compare::LessOrEqual>},
                 {"Max", maximum},
                 {"Mean", mean},
                 {"Min", minimum},
                 {"Mul", mul},
                 {"Or", logical<arith::OrIOp>},
                 {"PRelu", prelu},
                 {"Pow", power},
                 {"Sub", sub},
                 {"Sum", sum},
                 {"SwiGLU", swiGlu},
                 {"Where", where},
                 {"Xor", logical<arith::XOrIOp>}});
}

} // namespace daedalus::onnximport
