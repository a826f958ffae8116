// Functions of one tensor, element by element.

#include "Functions.h"
#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

template <class Op> Value mathOp(K &k) {
  return ofFloat(k, [&](Value x) -> Value { return k.b.create<Op>(k.loc, x); });
}

Value sigmoid(K &k) {
  return ofFloat(k, [&](Value x) { return sigmoidOf(k, x); });
}

Value relu(K &k) {
  return unary(k, [&](Value x) { return k.max(x, k.number(0, x.getType())); });
}

Value leakyRelu(K &k) {
  return ofFloat(k, [&](Value x) {
    Value alpha = k.f32(k.real("alpha", 0.01f));
    return k.select(k.compare(Compare::Less, x, k.f32(0)), k.mul(alpha, x), x);
  });
}

Value hardSigmoidOf(K &k, Value x, double alpha, double beta) {
  return k.clamp(k.add(k.mul(x, k.f32(alpha)), k.f32(beta)), k.f32(0), k.f32(1));
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
    Value e = k.sub(k.exp(k.div(x, k.f32(inner))), k.f32(1));
    return k.mul(k.f32(gamma), k.select(k.compare(Compare::Greater, x, k.f32(0)), x, k.mul(k.f32(alpha), e)));
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
  return ofFloat(k, [&](Value x) {
    return k.select(k.compare(Compare::Greater, x, k.f32(k.real("alpha", 1))), x, k.f32(0));
  });
}

/// x nearer to 0 by `bias`, and 0 within `lambd` of it.
Value shrink(K &k) {
  return ofFloat(k, [&](Value x) {
    const float lambda = k.real("lambd", 0.5f);
    Value bias = k.f32(k.real("bias", 0));
    Value above = k.select(k.compare(Compare::Greater, x, k.f32(lambda)), k.sub(x, bias), k.f32(0));
    return k.select(k.compare(Compare::Less, x, k.f32(-lambda)), k.add(x, bias), above);
  });
}

Value softplus(K &k) {
  return ofFloat(k, [&](Value x) -> Value { return k.log(k.add(k.exp(x), k.f32(1))); });
}

Value softsign(K &k) {
  return ofFloat(k, [&](Value x) { return k.div(x, k.add(k.f32(1), k.absolute(x))); });
}

Value absolute(K &k) {
  return unary(k, [&](Value x) { return isUnsignedType(k.dtype(0)) ? x : k.absolute(x); });
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
  return ofFloat(k, [&](Value x) { return k.div(k.f32(1), x); });
}

Value logicalNot(K &k) {
  return unary(k, [&](Value x) { return k.stored(k.negate(k.truth(x))); });
}

Value identity(K &k) {
  return unary(k, [&](Value x) { return x; });
}

/// In training it is random.
Value dropout(K &k) {
  const HostTensor *training = k.constant(2);
  if (k.has(2) && !(training && training->ints[0] == 0))
    return k.refuse(
        "trains (input 'training_mode'); expected inference: export the model in evaluation mode");
  if (k.outputIndex == 1)
    return k.elementwiseOutput({}, [&](ValueRange) { return k.number(1, k.outputType()); });
  return identity(k);
}

Value isNan(K &k) {
  return ofFloat(k, [&](Value x) { return k.stored(k.compare(Compare::NotEqual, x, x)); });
}

/// +infinity, -infinity or both, as the attributes say.
Value isInf(K &k) {
  const bool negative = k.integer("detect_negative", 1) != 0, positive = k.integer("detect_positive", 1) != 0;
  return unary(k, [&](Value x) {
    const auto is = [&](double sign) {
      return k.equal(x, k.number(sign * std::numeric_limits<double>::infinity(), x.getType()));
    };
    Value below = negative ? is(-1) : k.boolean(false);
    return k.stored(positive ? k.either(below, is(1)) : below);
  });
}

Value bitwiseNot(K &k) {
  return unary(
      k, [&](Value x) -> Value { return k.b.create<arith::XOrIOp>(k.loc, x, k.number(-1, x.getType())); });
}

/// A truth is 0 or 1, whatever its bits were.
Value bitCast(K &k) {
  return unary(k, [&](Value x) -> Value {
    if (k.output.dtype == onnx::TensorProto::BOOL)
      return k.stored(k.truth(x));
    return x.getType() == k.outputType() ? x : k.b.create<arith::BitcastOp>(k.loc, k.outputType(), x);
  });
}

Value cast(K &k) {
  return unary(k, [&](Value x) { return k.convert(x, k.dtype(0), k.output.dtype); });
}

} // namespace

void addFunctions(Builds &builds) {
  builds.insert({{"Abs", absolute},
                 {"Acos", mathOp<math::AcosOp>},
                 {"Acosh", mathOp<math::AcoshOp>},
                 {"Asin", mathOp<math::AsinOp>},
                 {"Asinh", mathOp<math::AsinhOp>},
                 {"Atan", mathOp<math::AtanOp>},
                 {"Atanh", mathOp<math::AtanhOp>},
                 {"BitCast", bitCast},
                 {"BitwiseNot", bitwiseNot},
                 {"Cast", cast},
                 {"Ceil", mathOp<math::CeilOp>},
                 {"Celu", celu},
                 {"Cos", mathOp<math::CosOp>},
                 {"Cosh", mathOp<math::CoshOp>},
                 {"Dropout", dropout},
                 {"Elu", elu},
                 {"Erf", mathOp<math::ErfOp>},
                 {"Exp", mathOp<math::ExpOp>},
                 {"Floor", mathOp<math::FloorOp>},
                 {"HardSigmoid", hardSigmoid},
                 {"HardSwish", hardSwish},
                 {"Identity", identity},
                 {"IsInf", isInf},
                 {"IsNaN", isNan},
                 {"LeakyRelu", leakyRelu},
                 {"Log", mathOp<math::LogOp>},
                 {"Neg", minus},
                 {"Not", logicalNot},
                 {"Reciprocal", reciprocal},
                 {"Relu", relu},
                 {"Round", mathOp<math::RoundEvenOp>},
                 {"Selu", selu},
                 {"Shrink", shrink},
                 {"Sigmoid", sigmoid},
                 {"Sign", sign},
                 {"Sin", mathOp<math::SinOp>},
                 {"Sinh", mathOp<math::SinhOp>},
                 {"Softplus", softplus},
                 {"Softsign", softsign},
                 {"Sqrt", mathOp<math::SqrtOp>},
                 {"Tan", mathOp<math::TanOp>},
                 {"Tanh", mathOp<math::TanhOp>},
                 {"ThresholdedRelu", thresholdedRelu}});
}

} // namespace daedalus::onnximport
