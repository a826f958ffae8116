// Functions of one tensor, element by element.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool isInf(C &c) {
  return c.isFlag("detect_negative") && c.isFlag("detect_positive") && c.like(0);
}

template <class Op> Value mathOp(K &k) {
  return ofFloat(k, [&](Value x) -> Value { return k.b.create<Op>(k.loc, x); });
}

Value sigmoid(K &k) {
  return ofFloat(k, [&](Value x) { return sigmoidOf(k, x); });
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

} // namespace

void addFunctions(Operators &all) {
  all["Abs"] = functionOf(absolute);
  all["Acos"] = functionOf(mathOp<math::AcosOp>);
  all["Acosh"] = functionOf(mathOp<math::AcoshOp>);
  all["Asin"] = functionOf(mathOp<math::AsinOp>);
  all["Asinh"] = functionOf(mathOp<math::AsinhOp>);
  all["Atan"] = functionOf(mathOp<math::AtanOp>);
  all["Atanh"] = functionOf(mathOp<math::AtanhOp>);
  all["Ceil"] = functionOf(mathOp<math::CeilOp>);
  all["Celu"] = functionOf(celu);
  all["Cos"] = functionOf(mathOp<math::CosOp>);
  all["Cosh"] = functionOf(mathOp<math::CoshOp>);
  all["Elu"] = functionOf(elu);
  all["Erf"] = functionOf(mathOp<math::ErfOp>);
  all["Exp"] = functionOf(mathOp<math::ExpOp>);
  all["Floor"] = functionOf(mathOp<math::FloorOp>);
  all["HardSigmoid"] = functionOf(hardSigmoid);
  all["HardSwish"] = functionOf(hardSwish);
  all["LeakyRelu"] = functionOf(leakyRelu);
  all["Log"] = functionOf(mathOp<math::LogOp>);
  all["Neg"] = functionOf(minus);
  all["Reciprocal"] = functionOf(reciprocal);
  all["Round"] = functionOf(mathOp<math::RoundEvenOp>);
  all["Selu"] = functionOf(selu);
  all["Shrink"] = functionOf(shrink);
  all["Sigmoid"] = functionOf(sigmoid);
  all["Sign"] = functionOf(sign);
  all["Sin"] = functionOf(mathOp<math::SinOp>);
  all["Sinh"] = functionOf(mathOp<math::SinhOp>);
  all["Softplus"] = functionOf(softplus);
  all["Softsign"] = functionOf(softsign);
  all["Sqrt"] = functionOf(mathOp<math::SqrtOp>);
  all["Tan"] = functionOf(mathOp<math::TanOp>);
  all["Tanh"] = functionOf(mathOp<math::TanhOp>);
  all["ThresholdedRelu"] = functionOf(thresholdedRelu);
  all["IsInf"] = {10, isInf, isInf, nullptr, inFloat32, true};
  all["IsNaN"] = {1, sameShape, isNan, nullptr, inFloat32, true};
  all["Not"] = {1, sameShape, logicalNot, nullptr, inFloat32, true};
}

} // namespace daedalus::onnximport
