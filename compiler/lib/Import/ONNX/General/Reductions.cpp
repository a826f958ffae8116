// Reductions along axes, and the index of an extreme.

#include "Builds.h"
#include "ReductionAxes.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// The reduction of `x` by `join`, of whose elements `last` makes the output's.
template <class J, class L> Value reduceAlong(K &k, Value x, const Axes &axes, double init, J join, L last) {
  Value result = k.reduce(x, axes, k.number(init, k.outputType()), join);
  int64_t count = 1;
  for (unsigned axis : axes)
    count *= k.shape(0)[axis];
  if constexpr (!std::is_same_v<L, std::nullptr_t>)
    result = k.elementwise(result, [&](Value x) { return last(x, double(count)); });
  return k.reshape(result, k.output.shape);
}

template <class J, class L = std::nullptr_t> Value reduction(K &k, double init, J join, L last = {}) {
  return alongAxes(k, [&](const Axes &axes) { return reduceAlong(k, k.in(0), axes, init, join, last); });
}

Value absoluteOf(K &k, Value x) {
  return isUnsignedType(k.dtype(0)) ? x : k.max(x, k.sub(k.number(0, x.getType()), x));
}

Value reduceSum(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, x); });
}
Value reduceMean(K &k) {
  return reduction(
      k, 0, [&](Value sum, Value x) { return k.add(sum, x); },
      [&](Value x, double count) {
        return k.div(x, k.number(count, x.getType()), isUnsignedType(k.dtype(0)));
      });
}
Value reduceMax(K &k) {
  return reduction(k, leastOf(k.dtype(0)),
                   [&](Value most, Value x) { return k.max(most, x, isUnsignedType(k.dtype(0))); });
}
Value reduceMin(K &k) {
  return reduction(k, mostOf(k.dtype(0)),
                   [&](Value least, Value x) { return k.min(least, x, isUnsignedType(k.dtype(0))); });
}
Value reduceProd(K &k) {
  return reduction(k, 1, [&](Value all, Value x) { return k.mul(all, x); });
}
Value reduceL1(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, absoluteOf(k, x)); });
}
Value reduceSumSquare(K &k) {
  return reduction(k, 0, [&](Value sum, Value x) { return k.add(sum, k.mul(x, x)); });
}
Value reduceL2(K &k) {
  return reduction(
      k, 0, [&](Value sum, Value x) { return k.add(sum, k.mul(x, x)); },
      [&](Value x, double) -> Value { return k.b.create<math::SqrtOp>(k.loc, x); });
}

/// The logarithm of a sum, of x itself or of e^x.
Value logarithmOfSum(K &k, bool ofPowers) {
  if (isFloatType(k.dtype(0)) && k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  Value x = k.in(0);
  if (ofPowers)
    x = k.elementwise(x, [&](Value x) { return k.exp(x); });
  return alongAxes(k, [&](const Axes &axes) {
    return reduceAlong(
        k, x, axes, 0, [&](Value sum, Value x) { return k.add(sum, x); },
        [&](Value x, double) { return k.log(x); });
  });
}

Value reduceLogSum(K &k) {
  return logarithmOfSum(k, false);
}
Value reduceLogSumExp(K &k) {
  return logarithmOfSum(k, true);
}

/// The first, or with select_last_index the last, index of the extreme.
Value argument(K &k, bool ofMax) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0)), size = k.shape(0)[axis];
  const bool last = k.integer("select_last_index", 0) != 0, u = isUnsignedType(k.dtype(0));
  Value x = k.in(0);
  Value extreme = k.reduce(x, unsigned(axis),
                           k.number(ofMax ? leastOf(k.dtype(0)) : mostOf(k.dtype(0)), k.elementType(0)),
                           [&](Value a, Value v) { return ofMax ? k.max(a, v, u) : k.min(a, v, u); });
  Axes others;
  for (unsigned d = 0; d < k.shape(0).size(); ++d)
    if (d != axis)
      others.push_back(d);
  const AffineMap kept = k.loops(k.rank(0), others);
  Value found =
      k.reduce(shapeOf(extreme), kept, k.number(last ? 0 : double(size - 1), k.b.getI64Type()),
               {k.broadcast(x, k.shape(0)), {extreme, kept}}, [&](Value found, ValueRange elements) {
                 Value here = k.fromIndex(k.loopIndex(axis), k.b.getI64Type());
                 Value better = last ? k.max(found, here) : k.min(found, here);
                 Value isIt = k.compare(Compare::Equal, elements[0], elements[1]);
                 return k.select(isIt, better, found);
               });
  return k.reshape(found, k.output.shape);
}

Value argMax(K &k) {
  return argument(k, true);
}
Value argMin(K &k) {
  return argument(k, false);
}

} // namespace

void addReductions(Builds &builds) {
  builds.insert({{"ArgMax", argMax},
                 {"ArgMin", argMin},
                 {"ReduceL1", reduceL1},
                 {"ReduceL2", reduceL2},
                 {"ReduceLogSum", reduceLogSum},
                 {"ReduceLogSumExp", reduceLogSumExp},
                 {"ReduceMax", reduceMax},
                 {"ReduceMean", reduceMean},
                 {"ReduceMin", reduceMin},
                 {"ReduceProd", reduceProd},
                 {"ReduceSum", reduceSum},
                 {"ReduceSumSquare", reduceSumSquare}});
}

} // namespace daedalus::onnximport
