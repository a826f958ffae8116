// Scatter, ScatterElements, ScatterND and TensorScatter.

#include "Indexing/Tuples.h"
#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool reduces(C &c) {
  return c.version >= 18 ? c.oneOf("reduction", "none", {"none", "add", "mul", "max", "min"})
                         : c.oneOf("reduction", "none", {"none", "add", "mul"});
}

bool scatterElements(C &c) {
  int64_t axis = 0;
  if (!reduces(c) || !c.axis("axis", 0, c.rank(0), axis) || !c.rankIs(1, c.rank(0)) ||
      !c.hasShape(2, c.shape(1)) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  for (int64_t d = 0; d < c.rank(0); ++d)
    if (d != axis && c.shape(1)[d] > c.shape(0)[d])
      return c.fail("indices '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) + " for an input of " +
                    shapeText(c.shape(0)) + "; expected no larger dimensions but " + Twine(axis));
  return c.like(0);
}

bool scatterND(C &c) {
  if (!reduces(c) || !c.rankAtLeast(0, 1) || !c.rankAtLeast(1, 1) || !depthIsTo(c, c.rank(0)))
    return false;
  const int64_t depth = c.shape(1).back();
  Shape updates(c.shape(1).begin(), c.shape(1).end() - 1);
  updates.append(c.shape(0).begin() + depth, c.shape(0).end());
  return c.hasShape(2, updates) && tuplesIndex(c, Sizes(c.shape(0)).take_front(depth)) && c.like(0);
}

bool tensorScatter(C &c) {
  int64_t axis = 0;
  if (!c.oneOf("mode", "linear", {"linear", "circular"}) || !c.axis("axis", -2, c.rank(0), axis))
    return false;
  if (axis == 0)
    return c.failAttribute("axis", Twine(c.integer("axis", -2)),
                           "another dimension than the first, of batches");
  Shape updates = c.shape(0);
  if (c.rank(1) == c.rank(0))
    updates[axis] = std::min(updates[axis], c.shape(1)[axis]);
  if (!c.hasShape(1, updates) || (c.has(2) && !c.hasShape(2, {c.shape(0)[0]})))
    return false;
  const int64_t size = c.shape(0)[axis];
  const bool isCircular = c.text("mode", "linear") == "circular";
  const int64_t end = isCircular ? size : size - updates[axis] + 1;
  if (const HostTensor *starts = c.constant(2))
    for (int64_t start : starts->ints)
      if (start < 0 || start >= end)
        return c.fail("indices '" + c.name(2) + "' hold " + Twine(start) + "; expected 0 to " +
                      Twine(end - 1));
  return c.like(0);
}

/// What an element becomes by an update.
Value joined(K &k, const std::string &reduction, Value old, Value update) {
  const bool isUnsigned = isUnsignedType(k.dtype(0));
  if (reduction == "add")
    return k.add(old, update);
  if (reduction == "mul")
    return k.mul(old, update);
  if (reduction == "max")
    return k.max(old, update, isUnsigned);
  return reduction == "min" ? k.min(old, update, isUnsigned) : update;
}

/// Input 0 after each element of `updates` has gone where place(its index) says.
template <class F> Value scattered(K &k, size_t updates, F place) {
  const std::string reduction = textAttribute(k.node, "reduction", "none");
  Value from = k.in(updates);
  Value copy = k.elementwiseOutput(k.read(0), [](ValueRange x) { return x[0]; });
  if (product(k.shape(updates)) == 0)
    return copy;
  return k.iterate(k.shape(updates), copy, [&](const Indices &at, Value tensor) {
    const Indices to = place(at);
    Value update = k.element(from, at);
    return k.insert(reduction == "none" ? update : joined(k, reduction, k.element(tensor, to), update),
                    tensor, to);
  });
}

Value scatterElements(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0)), size = k.shape(0)[axis];
  Value indices = k.in(1);
  requireIndices(k, 1, size);
  return scattered(k, 2, [&](const Indices &at) {
    Indices to = at;
    to[axis] = wrapped(k, k.toIndex(k.element(indices, at)), size);
    return to;
  });
}

Value scatterND(K &k) {
  const size_t outer = k.rank(1) - 1, depth = k.shape(1).back();
  Value indices = k.in(1);
  requireTuples(k, 1, Sizes(k.shape(0)).take_front(depth));
  return scattered(k, 2, [&](const Indices &at) {
    Indices to =
        tupleAt(k, indices, ArrayRef<Value>(at).take_front(outer), Sizes(k.shape(0)).take_front(depth));
    to.append(at.begin() + outer, at.end());
    return to;
  });
}

/// A sequence of updates from one place of each batch's cache on; with mode circular behind the last place
/// comes the first.
Value tensorScatter(K &k) {
  const int64_t axis = k.axis(k.integer("axis", -2), k.rank(0)), size = k.shape(0)[axis],
                length = k.shape(1)[axis];
  const bool isCircular = textAttribute(k.node, "mode", "linear") == "circular";
  if (k.has(2))
    requireRange(k, 2, 0, isCircular ? size : size - length + 1);
  Value starts = k.has(2) ? k.in(2) : Value();
  return scattered(k, 1, [&](const Indices &at) {
    Indices to = at;
    if (starts)
      to[axis] = k.add(at[axis], k.toIndex(k.element(starts, {at[0]})));
    if (isCircular)
      to[axis] = k.select(k.compare(Compare::GreaterOrEqual, to[axis], k.index(size)),
                          k.sub(to[axis], k.index(size)), to[axis]);
    to[axis] = k.inside(to[axis], size);
    return to;
  });
}

} // namespace

void addScatters(Operators &all) {
  all["Scatter"] = {9, scatterElements, scatterElements};
  all["ScatterElements"] = {11, scatterElements, scatterElements};
  all["ScatterND"] = {11, scatterND, scatterND};
  all["TensorScatter"] = {24, tensorScatter, tensorScatter};
}

} // namespace daedalus::onnximport
