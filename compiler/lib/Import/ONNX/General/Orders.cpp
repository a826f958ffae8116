// Operators that order the elements along an axis: the largest ones, and the place of the largest.

#include "Builds.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// The tensor as [outer, the axis (with `toEnd` all dimensions from it on), inner].
Value aroundAxis(K &k, unsigned axis, bool toEnd) {
  const Sizes shape = k.shape(0);
  const unsigned end = toEnd ? shape.size() : axis + 1;
  return k.reshape(k.in(0), {product(shape.take_front(axis)), product(shape.slice(axis, end - axis)),
                             product(shape.drop_front(end))});
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

/// How many elements come before each: those that are larger (or smaller), and equal ones of lower index.
Value ranksOf(K &k, Value x, bool largest) {
  const Shape shape(shapeOf(x)); // the loops: outer, the element, inner, the one it is compared with
  Type i64 = k.b.getI64Type();
  return k.reduce(shape, k.loops(4, {0, 1, 2}), k.number(0, i64),
                  {{x, k.loops(4, {0, 1, 2})}, {x, k.loops(4, {0, 3, 2})}}, [&](Value rank, ValueRange x) {
                    Value isBetter = k.compare(largest ? Compare::Greater : Compare::Less, x[1], x[0],
                                               isUnsignedType(k.dtype(0)));
                    Value isBefore = k.compare(Compare::Less, k.loopIndex(3), k.loopIndex(1));
                    Value counts = k.either(isBetter, k.both(isBefore, k.equal(x[1], x[0])));
                    return k.select(counts, k.add(rank, k.number(1, i64)), rank);
                  });
}

/// The K largest (or smallest) elements in order, and their indices. Of n elements it takes n^2 comparisons.
Value topK(K &k) {
  const unsigned axis = k.axis(k.integer("axis", -1), k.rank(0));
  const bool old = k.node.opset < 10, largest = k.integer("largest", 1) != 0;
  const int64_t count = k.output.shape[axis];
  if (!old && !k.constant(1))
    k.require(k.equal(k.indexAt(1, 0), k.index(count)), "k");
  Value x = aroundAxis(k, axis, false), ranks = ranksOf(k, x, largest);
  const Shape shape(shapeOf(x));
  const bool ofIndices = k.outputIndex == 1; // the loops: outer, the rank, inner, the element
  Value y =
      k.reduce({shape[0], count, shape[2]}, k.loops(4, {0, 1, 2}), k.number(0, k.outputType()),
               {{x, k.loops(4, {0, 3, 2})}, {ranks, k.loops(4, {0, 3, 2})}}, [&](Value found, ValueRange x) {
                 Value value = ofIndices ? k.fromIndex(k.loopIndex(3), k.b.getI64Type()) : Value(x[0]);
                 return k.select(k.equal(k.toIndex(x[1]), k.loopIndex(1)), value, found);
               });
  return k.reshape(y, k.output.shape);
}

} // namespace

void addOrders(Builds &builds) {
  builds.insert({{"Hardmax", hardmax}, {"TopK", topK}});
}

} // namespace daedalus::onnximport
