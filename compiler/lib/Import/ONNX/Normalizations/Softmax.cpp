// Softmax, LogSoftmax and Hardmax.

#include "Body/Statistics.h"
#include "OperatorTable.h"
#include "Reductions/AroundAxis.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool softmax(C &c) {
  int64_t axis = 0;
  return c.axis("axis", c.version < 13 ? 1 : -1, c.rank(0), axis) && c.like(0);
}

bool hardmax(C &c) {
  int64_t axis = 0;
  return c.axis("axis", c.version < 13 ? 1 : -1, c.rank(0), axis) && c.like(0);
}

/// The axes that a softmax runs over: one, or up to opset 12 all from `axis` on.
SmallVector<unsigned> softmaxAxes(K &k) {
  const bool old = k.node.opset < 13;
  const int64_t axis = k.axis(k.integer("axis", old ? 1 : -1), k.rank(0));
  return range(axis, old ? k.rank(0) : axis + 1);
}

Value softmaxOf(K &k, bool ofLogarithm) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  return softmaxAlong(k, k.in(0), softmaxAxes(k), ofLogarithm);
}

Value softmax(K &k) {
  return softmaxOf(k, false);
}
Value logSoftmax(K &k) {
  return softmaxOf(k, true);
}

/// 1 at the first largest element along the axis, or up to opset 12 along all from it on; 0 elsewhere.
Value hardmax(K &k) {
  const bool old = k.node.opset < 13;
  Value x = aroundAxis(k, k.axis(k.integer("axis", old ? 1 : -1), k.rank(0)), old);
  const Shape shape(shapeOf(x));
  const AffineMap outer = k.loops(3, {0, 2});
  Type i64 = k.b.getI64Type();
  Value most = k.reduce(x, 1, k.number(leastOf(k.dtype(0)), k.elementType(0)),
                        [&](Value most, Value x) { return k.max(most, x); });
  Value first = k.reduce({shape[0], shape[2]}, outer, k.number(double(shape[1]), i64),
                         {k.broadcast(x, shape), {most, outer}}, [&](Value first, ValueRange x) {
                           Value here = k.fromIndex(k.loopIndex(1), i64);
                           return k.select(k.equal(x[0], x[1]), k.min(first, here), first);
                         });
  Value y = k.elementwise(shape, k.outputType(), Read{first, outer}, [&](ValueRange x) {
    return k.select(k.equal(k.toIndex(x[0]), k.loopIndex(1)), k.number(1, k.outputType()),
                    k.number(0, k.outputType()));
  });
  return k.reshape(y, k.output.shape);
}

} // namespace

void addSoftmaxes(Operators &all) {
  all["Hardmax"] = {1, hardmax, hardmax};
  all["LogSoftmax"] = {1, softmax, logSoftmax};
  all["Softmax"] = {1, softmax, softmax};
}

} // namespace daedalus::onnximport
