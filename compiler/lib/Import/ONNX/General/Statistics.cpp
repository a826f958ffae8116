// See Statistics.h.

#include "Statistics.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {

SmallVector<unsigned> range(unsigned first, unsigned end) {
  SmallVector<unsigned> result(end - first);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// The mean of what `term` makes of each element, and of `centre` where it is given.
static Value mean(Body &body, Value x, unsigned first, Value centre, Body::Combine term) {
  const Sizes all = shapeOf(x), shape = all.take_front(first);
  const AffineMap outer = body.loops(all.size(), range(0, first));
  const Type type = elementOf(x);
  SmallVector<Read> reads{body.broadcast(x, all)};
  if (centre)
    reads.push_back({centre, outer});
  Value sum = body.reduce(shape, outer, body.number(0, type), reads,
                          [&](Value sum, ValueRange x) { return body.add(sum, term(x)); });
  const double count = double(product(all.drop_front(first)));
  return body.elementwise(sum, [&](Value x) { return body.div(x, body.number(count, type)); });
}

Value meanOf(Body &body, Value x, unsigned first) {
  return mean(body, x, first, nullptr, [](ValueRange x) { return x[0]; });
}

Value meanOfSquares(Body &body, Value x, unsigned first, Value centre) {
  return mean(body, x, first, centre, [&](ValueRange x) {
    Value distance = x.size() > 1 ? body.sub(x[0], x[1]) : x[0];
    return body.mul(distance, distance);
  });
}

Value inverseRoot(Body &body, Value x, double epsilon) {
  return body.elementwise(x, [&](Value x) {
    Value root = body.b.create<math::SqrtOp>(body.loc, body.add(x, body.number(epsilon, x.getType())));
    return body.div(body.number(1, x.getType()), root);
  });
}

} // namespace daedalus::onnximport
