// LpPool and GlobalLpPool: norms of windows, in float32.

#include "Body/Statistics.h"
#include "OperatorTable.h"
#include "Pools/Pool.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool lpPool(C &c) {
  return c.atLeast("p", 1, 2) && poolShape(c, /*isSum=*/true);
}

bool globalLpPool(C &c) {
  return c.atLeast("p", 1, 2) && globalPool(c);
}

/// x^power of an x of at least 0.
Value powerOf(K &k, Value x, double power) {
  if (power == 1)
    return x;
  if (power == 2)
    return k.mul(x, x);
  Value isZero = k.equal(x, k.f32(0)), safe = k.select(isZero, k.f32(1), x);
  return k.select(isZero, k.f32(0), k.exp(k.mul(k.f32(power), k.log(safe))));
}

Value powers(K &k) {
  const double p = double(k.integer("p", 2));
  return k.elementwise(k.in(0), [&](Value x) { return powerOf(k, k.absolute(x), p); });
}

Value roots(K &k, Value sum) {
  const double p = double(k.integer("p", 2));
  return k.elementwise(sum, [&](Value x) { return powerOf(k, x, 1 / p); });
}

Value lpPool(K &k) {
  const Window window = k.window(intsAttribute(k.node, "kernel_shape", {}));
  const kernels::PoolLoops loops(k.b.getContext(), window);
  Value x = kernels::padded(k, powers(k), window, 0);
  Value sum = k.reduce(k.output.shape, loops.y, k.f32(0),
                       {{x, loops.x}, {kernels::extents(k, window), loops.extents}},
                       [&](Value sum, ValueRange x) { return k.add(sum, x[0]); });
  return roots(k, sum);
}

Value globalLpPool(K &k) {
  Value sum =
      k.reduce(powers(k), range(2, k.rank(0)), k.f32(0), [&](Value sum, Value x) { return k.add(sum, x); });
  return k.reshape(roots(k, sum), k.output.shape);
}

/// Of float32 alone.
template <Value (*build)(K &)> Value ofFloat(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  return build(k);
}

} // namespace

void addLpPools(Operators &all) {
  all["GlobalLpPool"] = {2, globalLpPool, ofFloat<globalLpPool>};
  all["LpPool"] = {2, lpPool, ofFloat<lpPool>};
}

} // namespace daedalus::onnximport
