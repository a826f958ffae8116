// See Statistics.h.

#include "Body/Statistics.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>
#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {

SmallVector<unsigned> range(unsigned first, unsigned end) {
  SmallVector<unsigned> result(end - first);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// The mean over all other dimensions than `kept` of what `term` makes of each element, and of `centre` where
/// it is given.
static Value mean(Body &body, Value x, ArrayRef<unsigned> kept, Value centre, Body::Combine term) {
  const Sizes all = shapeOf(x);
  const AffineMap outer = body.loops(all.size(), kept);
  SmallVector<int64_t> shape;
  for (unsigned d : kept)
    shape.push_back(all[d]);
  const Type type = elementOf(x);
  SmallVector<Read> reads{body.broadcast(x, all)};
  if (centre)
    reads.push_back({centre, outer});
  Value sum = body.reduce(shape, outer, body.number(0, type), reads,
                          [&](Value sum, ValueRange x) { return body.add(sum, term(x)); });
  const double count = double(product(all)) / double(product(shape));
  return body.elementwise(sum, [&](Value x) { return body.div(x, body.number(count, type)); });
}

static Value squaresOf(Body &body, Value x, ArrayRef<unsigned> kept, Value centre) {
  return mean(body, x, kept, centre, [&](ValueRange x) {
    Value distance = x.size() > 1 ? body.sub(x[0], x[1]) : x[0];
    return body.mul(distance, distance);
  });
}

Value meanOf(Body &body, Value x, unsigned first) {
  return mean(body, x, range(0, first), nullptr, [](ValueRange x) { return x[0]; });
}

Value meanOfSquares(Body &body, Value x, unsigned first, Value centre) {
  return squaresOf(body, x, range(0, first), centre);
}

Value channelMean(Body &body, Value x, Value centre) {
  const unsigned channels = 1;
  return centre ? squaresOf(body, x, channels, centre)
                : mean(body, x, channels, nullptr, [](ValueRange x) { return x[0]; });
}

Value softmaxAlong(Body &k, Value x, ArrayRef<unsigned> axes, bool ofLogarithm) {
  const Sizes shape = shapeOf(x);
  const Type type = elementOf(x);
  SmallVector<unsigned> others;
  for (unsigned d = 0; d < shape.size(); ++d)
    if (!llvm::is_contained(axes, d))
      others.push_back(d);
  const AffineMap kept = k.loops(shape.size(), others);
  const auto each = [&](Value tensor, Value reduced, Body::Combine combine) {
    return k.elementwise(shape, type, {k.broadcast(tensor, shape), {reduced, kept}}, combine);
  };
  Value most = k.reduce(x, axes, k.number(-std::numeric_limits<double>::infinity(), type),
                        [&](Value most, Value x) { return k.max(most, x); });
  Value shifted = each(x, most, [&](ValueRange x) { return k.sub(x[0], x[1]); });
  Value powers = k.elementwise(shifted, [&](Value x) { return k.exp(x); });
  Value sum = k.reduce(powers, axes, k.number(0, type), [&](Value sum, Value x) { return k.add(sum, x); });
  if (!ofLogarithm) {
    Value inverse = k.elementwise(sum, [&](Value x) { return k.div(k.number(1, type), x); });
    return each(powers, inverse, [&](ValueRange x) { return k.mul(x[0], x[1]); });
  }
  Value logarithm = k.elementwise(sum, [&](Value x) { return k.log(x); });
  return each(shifted, logarithm, [&](ValueRange x) { return k.sub(x[0], x[1]); });
}

Value inverseRoot(Body &body, Value x, double epsilon) {
  return body.elementwise(x, [&](Value x) {
    Value root = body.b.create<math::SqrtOp>(body.loc, body.add(x, body.number(epsilon, x.getType())));
    return body.div(body.number(1, x.getType()), root);
  });
}

} // namespace daedalus::onnximport
