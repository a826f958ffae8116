// Operators whose output's element depends on one element of each input, by numpy's broadcast.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

template <class F> Value unary(K &k, F f) {
  Value x = k.in(0);
  return k.computeOutput([&](const Indices &at) { return f(k.read(x, at)); });
}

template <class F> Value ofFloat(K &k, F f) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  return unary(k, f);
}

template <class Op> Value mathOp(K &k) {
  return ofFloat(k, [&](Value x) -> Value { return k.b.create<Op>(k.loc, x); });
}

Value f32(K &k, double value) {
  return k.number(value, k.b.getF32Type());
}

Value exponential(K &k, Value x) {
  return k.b.create<math::ExpOp>(k.loc, x);
}

Value sigmoid(K &k) {
  return ofFloat(k, [&](Value x) {
    Value e = exponential(k, k.sub(f32(k, 0), x));
    return k.div(f32(k, 1), k.add(f32(k, 1), e));
  });
}

Value relu(K &k) {
  return unary(k, [&](Value x) { return k.max(x, k.number(0, x.getType())); });
}

Value leakyRelu(K &k) {
  Value alpha = f32(k, k.real("alpha", 0.01f));
  return ofFloat(
      k, [&](Value x) { return k.select(k.compare(Compare::Less, x, f32(k, 0)), k.mul(alpha, x), x); });
}

Value hardSigmoidOf(K &k, Value x, double alpha, double beta) {
  return k.clamp(k.add(k.mul(x, f32(k, alpha)), f32(k, beta)), f32(k, 0), f32(k, 1));
}

Value hardSigmoid(K &k) {
  const float alpha = k.real("alpha", 0.2f), beta = k.real("beta", 0.5f);
  return ofFloat(k, [&](Value x) { return hardSigmoidOf(k, x, alpha, beta); });
}

Value hardSwish(K &k) {
  return ofFloat(k, [&](Value x) { return k.mul(x, hardSigmoidOf(k, x, 1.0f / 6, 0.5)); });
}

/// x where x > 0, alpha (e^(x / inner) - 1) elsewhere, times gamma.
Value exponentialLinear(K &k, double alpha, double inner, double gamma) {
  return ofFloat(k, [&](Value x) {
    Value e = k.sub(exponential(k, k.div(x, f32(k, inner))), f32(k, 1));
    return k.mul(f32(k, gamma),
                 k.select(k.compare(Compare::Greater, x, f32(k, 0)), x, k.mul(f32(k, alpha), e)));
  });
}

Value elu(K &k) {
  return exponentialLinear(k, k.real("alpha", 1), 1, 1);
}

Value celu(K &k) {
  const float alpha = k.real("alpha", 1);
  return exponentialLinear(k, alpha, alpha, 1);
}

Value selu(K &k) {
  return exponentialLinear(k, k.real("alpha", 1.67326319217681884765625f), 1,
                           k.real("gamma", 1.05070102214813232f));
}

Value thresholdedRelu(K &k) {
  Value alpha = f32(k, k.real("alpha", 1));
  return ofFloat(k, [&](Value x) { return k.select(k.compare(Compare::Greater, x, alpha), x, f32(k, 0)); });
}

Value softplus(K &k) {
  return ofFloat(k, [&](Value x) -> Value {
    return k.b.create<math::LogOp>(k.loc, k.add(exponential(k, x), f32(k, 1)));
  });
}

Value absoluteOf(K &k, Value x) {
  Value zero = k.number(0, x.getType());
  return k.select(k.compare(Compare::Less, x, zero), k.sub(zero, x), x);
}

Value softsign(K &k) {
  return ofFloat(k, [&](Value x) { return k.div(x, k.add(f32(k, 1), absoluteOf(k, x))); });
}

Value absolute(K &k) {
  return unary(k, [&](Value x) { return isUnsignedType(k.dtype(0)) ? x : absoluteOf(k, x); });
}

Value minus(K &k) {
  return unary(k, [&](Value x) -> Value {
    if (isFloatType(k.dtype(0)))
      return k.b.create<arith::NegFOp>(k.loc, x);
    return k.sub(k.number(0, x.getType()), x);
  });
}

Value sign(K &k) {
  return unary(k, [&](Value x) {
    Type type = x.getType();
    Value zero = k.number(0, type), one = k.number(1, type);
    if (isUnsignedType(k.dtype(0)))
      return k.select(k.compare(Compare::NotEqual, x, zero), one, zero);
    Value below = k.select(k.compare(Compare::Less, x, zero), k.number(-1, type), zero);
    return k.select(k.compare(Compare::Greater, x, zero), one, below);
  });
}

Value reciprocal(K &k) {
  return ofFloat(k, [&](Value x) { return k.div(f32(k, 1), x); });
}

Value logicalNot(K &k) {
  return unary(k, [&](Value x) { return k.stored(k.negate(k.truth(x))); });
}

/// In training it is random.
Value dropout(K &k) {
  const HostTensor *training = k.constant(2);
  if (k.has(2) && !(training && training->ints[0] == 0))
    return k.refuse(
        "trains (input 'training_mode'); expected inference: export the model in evaluation mode");
  if (k.outputIndex == 1)
    return k.computeOutput([&](const Indices &) { return k.number(1, k.outputType()); });
  Value x = k.in(0);
  return k.computeOutput([&](const Indices &at) { return k.read(x, at); });
}

Value identity(K &k) {
  return unary(k, [&](Value x) { return x; });
}

Value isNan(K &k) {
  return ofFloat(k, [&](Value x) { return k.stored(k.compare(Compare::NotEqual, x, x)); });
}

Value cast(K &k) {
  return unary(k, [&](Value x) { return k.convert(x, k.dtype(0), k.output.dtype); });
}

template <class F> Value binary(K &k, F f) {
  Value x = k.in(0), y = k.in(1);
  return k.computeOutput(
      [&](const Indices &at) { return f(k.readBroadcast(x, at), k.readBroadcast(y, at)); });
}

Value add(K &k) {
  return binary(k, [&](Value x, Value y) { return k.add(x, y); });
}
Value sub(K &k) {
  return binary(k, [&](Value x, Value y) { return k.sub(x, y); });
}
Value mul(K &k) {
  return binary(k, [&](Value x, Value y) { return k.mul(x, y); });
}
Value div(K &k) {
  return binary(k, [&](Value x, Value y) { return k.div(x, y, isUnsignedType(k.dtype(0))); });
}

/// Up to opset 6 the slope is one number, or one a channel.
Value prelu(K &k) {
  const bool byChannel = k.node.opset < 7 && product(k.shape(1)) != 1;
  Value input = k.in(0), slopes = k.in(1);
  return k.computeOutput([&](const Indices &at) {
    Value x = k.read(input, at), slope = byChannel ? k.read(slopes, {at[1]}) : k.readBroadcast(slopes, at);
    return k.select(k.compare(Compare::Less, x, k.number(0, x.getType())), k.mul(slope, x), x);
  });
}

/// x^y as e^(y log |x|), with the sign of an odd y; of a negative x and a fraction it is a NaN.
Value powerOf(K &k, Value x, Value y) {
  Value zero = f32(k, 0), one = f32(k, 1), half = k.mul(y, f32(k, 0.5));
  Value size = absoluteOf(k, x);
  Value value = exponential(k, k.mul(y, k.b.create<math::LogOp>(k.loc, size)));
  Value isWhole = k.compare(Compare::Equal, y, k.b.create<math::FloorOp>(k.loc, y));
  Value isEven = k.compare(Compare::Equal, half, k.b.create<math::FloorOp>(k.loc, half));
  Value negative = k.select(isEven, value, k.sub(zero, value));
  negative = k.select(isWhole, negative, f32(k, std::numeric_limits<double>::quiet_NaN()));
  Value atZero =
      k.select(k.compare(Compare::Less, y, zero), f32(k, std::numeric_limits<double>::infinity()), zero);
  Value result = k.select(k.compare(Compare::Less, x, zero), negative, value);
  result = k.select(k.compare(Compare::Equal, x, zero), atZero, result);
  return k.select(k.compare(Compare::Equal, y, zero), one, result);
}

Value power(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has base type " + dtypeName(k.dtype(0)) + "; expected float32");
  Value x = k.in(0), y = k.in(1);
  return k.computeOutput([&](const Indices &at) -> Value {
    Value exponent = k.convert(k.readBroadcast(y, at), k.dtype(1), onnx::TensorProto::FLOAT);
    return powerOf(k, k.readBroadcast(x, at), exponent);
  });
}

template <Compare how> Value comparison(K &k) {
  return binary(k,
                [&](Value x, Value y) { return k.stored(k.compare(how, x, y, isUnsignedType(k.dtype(0)))); });
}

template <class Op> Value logical(K &k) {
  return binary(k, [&](Value x, Value y) -> Value { return k.b.create<Op>(k.loc, x, y); });
}

/// Of one or more inputs.
template <class F> Value variadic(K &k, F f) {
  std::vector<Value> inputs;
  for (size_t i = 0; i < k.operands.size(); ++i)
    inputs.push_back(k.in(i));
  return k.computeOutput([&](const Indices &at) {
    Value result = k.readBroadcast(inputs[0], at);
    for (size_t i = 1; i < inputs.size(); ++i)
      result = f(result, k.readBroadcast(inputs[i], at));
    return result;
  });
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

Value where(K &k) {
  Value condition = k.in(0), x = k.in(1), y = k.in(2);
  return k.computeOutput([&](const Indices &at) {
    return k.select(k.truth(k.readBroadcast(condition, at)), k.readBroadcast(x, at), k.readBroadcast(y, at));
  });
}

Value scalarOf(K &k, Value tensor) {
  return k.read(tensor, Indices(sizesOf(tensor).size(), k.index(0)));
}

/// The bounds are attributes up to opset 6, and inputs that may come at run time from 11 on.
Value clip(K &k) {
  auto bound = [&](size_t input, const char *name) -> Value {
    if (k.has(input))
      return scalarOf(k, k.in(input));
    return attribute(k.node, name) ? k.number(k.real(name, 0), k.elementType(0)) : Value();
  };
  const bool isUnsigned = isUnsignedType(k.dtype(0));
  Value lo = bound(1, "min"), hi = bound(2, "max");
  return unary(k, [&](Value x) {
    x = lo ? k.max(x, lo, isUnsigned) : x;
    return hi ? k.min(x, hi, isUnsigned) : x;
  });
}

} // namespace

void addElementwise(Builds &builds) {
  builds.insert({{"Abs", absolute},
                 {"Add", add},
                 {"And", logical<arith::AndIOp>},
                 {"Atan", mathOp<math::AtanOp>},
                 {"Cast", cast},
                 {"Ceil", mathOp<math::CeilOp>},
                 {"Celu", celu},
                 {"Clip", clip},
                 {"Cos", mathOp<math::CosOp>},
                 {"Div", div},
                 {"Dropout", dropout},
                 {"Elu", elu},
                 {"Equal", comparison<Compare::Equal>},
                 {"Erf", mathOp<math::ErfOp>},
                 {"Exp", mathOp<math::ExpOp>},
                 {"Floor", mathOp<math::FloorOp>},
                 {"Greater", comparison<Compare::Greater>},
                 {"GreaterOrEqual", comparison<Compare::GreaterOrEqual>},
                 {"HardSigmoid", hardSigmoid},
                 {"HardSwish", hardSwish},
                 {"Identity", identity},
                 {"IsNaN", isNan},
                 {"LeakyRelu", leakyRelu},
                 {"Less", comparison<Compare::Less>},
                 {"LessOrEqual", comparison<Compare::LessOrEqual>},
                 {"Log", mathOp<math::LogOp>},
                 {"Max", maximum},
                 {"Min", minimum},
                 {"Mul", mul},
                 {"Neg", minus},
                 {"Not", logicalNot},
                 {"Or", logical<arith::OrIOp>},
                 {"PRelu", prelu},
                 {"Pow", power},
                 {"Reciprocal", reciprocal},
                 {"Relu", relu},
                 {"Round", mathOp<math::RoundEvenOp>},
                 {"Selu", selu},
                 {"Sigmoid", sigmoid},
                 {"Sign", sign},
                 {"Sin", mathOp<math::SinOp>},
                 {"Softplus", softplus},
                 {"Softsign", softsign},
                 {"Sqrt", mathOp<math::SqrtOp>},
                 {"Sub", sub},
                 {"Sum", sum},
                 {"Tanh", mathOp<math::TanhOp>},
                 {"ThresholdedRelu", thresholdedRelu},
                 {"Where", where},
                 {"Tan", mathOp<math::TanOp>},
                 {"Sinh", mathOp<math::SinhOp>},
                 {"Cosh", mathOp<math::CoshOp>},
                 {"Asinh", mathOp<math::AsinhOp>},
                 {"Acosh", mathOp<math::AcoshOp>},
                 {"Atanh", mathOp<math::AtanhOp>},
                 {"Xor", logical<arith::XOrIOp>}});
}

} // namespace daedalus::onnximport
