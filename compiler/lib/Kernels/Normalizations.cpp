// See Normalizations.h.

#include "daedalus/Kernels/Normalizations.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::kernels {

Value batchNormalization(Body &body, Read x, Sizes shape, const BatchStatistics &of, double epsilon) {
  const Type type = elementOf(of.scale);
  const Sizes channels = shapeOf(of.scale);
  const auto each = [&](Value tensor) { return body.broadcast(tensor, channels); };
  Value one = body.number(1, type), least = body.number(epsilon, type);
  Value factor =
      body.elementwise(channels, type, {each(of.scale), each(of.variance)}, [&](ValueRange x) -> Value {
        Value root = body.b.create<math::SqrtOp>(body.loc, body.add(x[1], least));
        return body.mul(x[0], body.div(one, root));
      });
  Value summand = body.elementwise(channels, type, {each(of.bias), each(of.mean), each(factor)},
                                   [&](ValueRange x) { return body.sub(x[0], body.mul(x[1], x[2])); });
  const unsigned rank = shape.size();
  const AffineMap channel =
      rank > 1 ? body.loops(rank, 1) : AffineMap::get(rank, 0, body.b.getAffineConstantExpr(0));
  return body.elementwise(shape, type, {x, {factor, channel}, {summand, channel}},
                          [&](ValueRange x) { return body.add(body.mul(x[0], x[1]), x[2]); });
}

} // namespace daedalus::kernels
