// ArgMax, ArgMin and TopK: the places of extremes.

#include "OperatorTable.h"
#include "Reductions/AroundAxis.h"
#include "Reductions/ReductionAxes.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool argument(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.isFlag("keepdims") || !c.isFlag("select_last_index"))
    return false;
  Shape shape = c.shape(0);
  shape[axis] = 1;
  if (c.elements(0) == 0 && !llvm::is_contained(shape, 0))
    return c.fail("takes the extreme of dimension " + Twine(axis) + " of shape " + shapeText(c.shape(0)) +
                  "; expected one with elements");
  if (!c.integer("keepdims", 1))
    shape.erase(shape.begin() + axis);
  return c.output(0, shape);
}

/// A count that comes at run time is what the model declares.
bool countsFit(C &c, int64_t axis) {
  for (size_t i = 0; i < c.outputs.size(); ++i)
    if (const Shape &shape = c.outputs[i].shape; !shape.empty() && shape[axis] > c.shape(0)[axis])
      return c.fail("output '" + c.node.proto.output(i) + "' is declared with " + Twine(shape[axis]) +
                    " elements of dimension " + Twine(axis) + "; expected at most " +
                    Twine(c.shape(0)[axis]));
  return true;
}

bool topK(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", -1, c.rank(0), axis) || !c.isFlag("largest") || !c.isFlag("sorted"))
    return false;
  std::optional<Shape> count = c.version < 10 ? Shape{c.integer("k", 0)} : c.integers(1);
  if (c.has(1) && !c.isScalar(1, "count"))
    return false;
  if (!count) {
    Shape open = c.shape(0);
    open[axis] = -1;
    return c.outputDeclaredAs(0, open) && c.outputDeclaredAs(1, open) && countsFit(c, axis);
  }
  if ((*count)[0] < 0 || (*count)[0] > c.shape(0)[axis])
    return c.fail("takes " + Twine((*count)[0]) + " elements of dimension " + Twine(axis) + " of shape " +
                  shapeText(c.shape(0)) + "; expected 0 to " + Twine(c.shape(0)[axis]));
  Shape shape = c.shape(0);
  shape[axis] = (*count)[0];
  return c.output(0, shape) && c.output(1, shape);
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

Value aroundAxis(K &k, unsigned axis, bool toEnd) {
  const Sizes shape = k.shape(0);
  const unsigned end = toEnd ? shape.size() : axis + 1;
  return k.reshape(k.in(0), {product(shape.take_front(axis)), product(shape.slice(axis, end - axis)),
                             product(shape.drop_front(end))});
}

void addArguments(Operators &all) {
  all["ArgMax"] = {1, argument, argMax};
  all["ArgMin"] = {1, argument, argMin};
  all["TopK"] = {1, topK, topK};
}

} // namespace daedalus::onnximport
