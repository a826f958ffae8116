// Operators that write elements where indices say, one after the other: where two are one place, in order.

#include "Builds.h"
#include "Indexed.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

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
      to[axis] = k.select(k.compare(Body::Compare::GreaterOrEqual, to[axis], k.index(size)),
                          k.sub(to[axis], k.index(size)), to[axis]);
    to[axis] = k.inside(to[axis], size);
    return to;
  });
}

} // namespace

void addScatters(Builds &builds) {
  builds.insert({{"Scatter", scatterElements},
                 {"ScatterElements", scatterElements},
                 {"ScatterND", scatterND},
                 {"TensorScatter", tensorScatter}});
}

} // namespace daedalus::onnximport
