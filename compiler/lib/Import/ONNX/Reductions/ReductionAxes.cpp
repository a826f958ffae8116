// See ReductionAxes.h.

#include "Reductions/ReductionAxes.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// The axes that are in `reduced`, in order.
Axes axesOf(const std::vector<bool> &reduced) {
  Axes result;
  for (unsigned d = 0; d < reduced.size(); ++d)
    if (reduced[d])
      result.push_back(d);
  return result;
}

/// The axes of an input or an attribute; all where neither is given.
Axes knownAxes(K &k) {
  std::vector<bool> reduced(k.rank(0), false);
  Shape axes = intsAttribute(k.node, "axes", {});
  if (const HostTensor *host = k.constant(1))
    axes.assign(host->ints.begin(), host->ints.end());
  if (axes.empty() && !k.integer("noop_with_empty_axes", 0))
    reduced.assign(k.rank(0), true);
  for (int64_t axis : axes)
    reduced[k.axis(axis, k.rank(0))] = true;
  return axesOf(reduced);
}

/// Whether the axes come at run time: an input without elements holds none.
bool areOpen(K &k) {
  return k.has(1) && !k.constant(1) && k.shape(1)[0] > 0;
}

/// Shape of the output where these are reduced.
Shape reducedShape(K &k, const Axes &axes) {
  Shape shape;
  for (unsigned d = 0; d < k.rank(0); ++d) {
    const bool isReduced = llvm::is_contained(axes, d);
    if (!isReduced || k.integer("keepdims", 1))
      shape.push_back(isReduced ? 1 : k.shape(0)[d]);
  }
  return shape;
}

/// All sets of at most as many axes as the input holds that give the output's shape.
std::vector<Axes> possibleAxes(K &k) {
  std::vector<Axes> all;
  const unsigned rank = k.rank(0);
  for (unsigned bits = 1; rank <= 16 && bits < 1u << rank; ++bits) {
    std::vector<bool> reduced(rank);
    for (unsigned d = 0; d < rank; ++d)
      reduced[d] = bits >> d & 1;
    const Axes axes = axesOf(reduced);
    if (int64_t(axes.size()) <= k.shape(1)[0] && reducedShape(k, axes) == k.output.shape)
      all.push_back(axes);
  }
  return all;
}

/// For each dimension whether the axes that come at run time hold it; they have to be axes.
SmallVector<Value> openAxes(K &k) {
  const int64_t rank = k.rank(0);
  SmallVector<Value> holds(rank, k.boolean(false));
  for (int64_t i = 0; i < k.shape(1)[0]; ++i) {
    Value axis = k.indexAt(1, i), isOne = k.boolean(false);
    for (int64_t d = 0; d < rank; ++d) {
      Value isIt = k.either(k.equal(axis, k.index(d)), k.equal(axis, k.index(d - rank)));
      holds[d] = k.either(holds[d], isIt), isOne = k.either(isOne, isIt);
    }
    k.require(isOne, "axes");
  }
  return holds;
}

/// Whether they are these.
Value areThese(K &k, ArrayRef<Value> holds, const Axes &axes) {
  Value result = k.boolean(true);
  for (auto [d, isHeld] : llvm::enumerate(holds))
    result = k.both(result, k.equal(isHeld, k.boolean(llvm::is_contained(axes, d))));
  return result;
}

} // namespace

Value alongAxes(K &k, llvm::function_ref<Value(const Axes &)> reduce) {
  if (!areOpen(k))
    return reduce(knownAxes(k));
  const std::vector<Axes> possible = possibleAxes(k);
  if (possible.empty())
    return k.refuse("output '" + k.node.proto.output(0) + "' is declared with shape " +
                    shapeText(k.output.shape) + ", which no axes of input '" + k.node.proto.input(0) +
                    "' of shape " + shapeText(k.shape(0)) + " leave; expected one that some of them do");
  const SmallVector<Value> holds = openAxes(k);
  Value result, isOne = k.boolean(false);
  for (const Axes &axes : possible) {
    Value reduced = reduce(axes), isIt = areThese(k, holds, axes);
    isOne = k.either(isOne, isIt);
    result =
        result
            ? k.elementwiseOutput({k.broadcast(reduced, k.output.shape), k.broadcast(result, k.output.shape)},
                                  [&](ValueRange x) { return k.select(isIt, x[0], x[1]); })
            : reduced;
  }
  k.require(isOne, "axes");
  return result;
}

} // namespace daedalus::onnximport
