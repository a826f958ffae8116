// Activations that are a number times how far its gate is open.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool gelu(C &c) {
  return c.oneOf("approximate", "none", {"none", "tanh"}) && c.like(0);
}

Value tanhOf(K &k, Value x) {
  return k.b.create<math::TanhOp>(k.loc, x);
}

/// x times the share of a normal distribution below x, by erf or the tangent that stands for it.
Value gelu(K &k) {
  const bool byTangent = textAttribute(k.node, "approximate", "none") == "tanh";
  return ofFloat(k, [&](Value x) -> Value {
    Value gate;
    if (byTangent) {
      Value cube = k.mul(k.mul(x, x), x);
      gate = tanhOf(k, k.mul(k.f32(std::sqrt(2 / M_PI)), k.add(x, k.mul(k.f32(0.044715), cube))));
    } else {
      gate = k.b.create<math::ErfOp>(k.loc, k.mul(x, k.f32(std::sqrt(0.5))));
    }
    return k.mul(k.mul(k.f32(0.5), x), k.add(k.f32(1), gate));
  });
}

/// x tanh(log(1 + e^x)), the logarithm as max(x, 0) + log(1 + e^-|x|).
Value mish(K &k) {
  return ofFloat(k, [&](Value x) {
    Value rest = k.log(k.add(k.f32(1), k.exp(k.sub(k.f32(0), k.absolute(x)))));
    return k.mul(x, tanhOf(k, k.add(k.max(x, k.f32(0)), rest)));
  });
}

Value swish(K &k) {
  const float alpha = k.real("alpha", 1);
  return ofFloat(k, [&](Value x) { return k.mul(x, sigmoidOf(k, k.mul(k.f32(alpha), x))); });
}

} // namespace

void addActivations(Operators &all) {
  all["Gelu"] = {20, gelu, gelu, nullptr, byTable, true};
  all["Mish"] = functionOf(mish);
  all["Swish"] = functionOf(swish);
}

} // namespace daedalus::onnximport
