// Gather, GatherElements and GatherND.

#include "Indexing/Tuples.h"
#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool gather(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  Shape shape(c.shape(0).begin(), c.shape(0).begin() + axis);
  shape.append(c.shape(1).begin(), c.shape(1).end());
  shape.append(c.shape(0).begin() + axis + 1, c.shape(0).end());
  return c.output(0, shape);
}

bool gatherElements(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.rankIs(1, c.rank(0)) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  for (int64_t d = 0; d < c.rank(0); ++d)
    if (d != axis && c.shape(1)[d] != c.shape(0)[d] && c.elements(1) > 0)
      return c.fail("indices '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) + " for an input of " +
                    shapeText(c.shape(0)) + "; expected the same dimensions but " + Twine(axis));
  return c.output(0, c.shape(1));
}

bool gatherND(C &c) {
  const int64_t batch = c.integer("batch_dims", 0), least = std::min(c.rank(0), c.rank(1));
  if (batch < 0 || batch >= least)
    return c.failToFit("batch_dims", Twine(batch), "0 to " + Twine(least - 1));
  for (int64_t d = 0; d < batch; ++d)
    if (c.shape(0)[d] != c.shape(1)[d])
      return c.fail("gathers from shape " + shapeText(c.shape(0)) + " by indices of shape " +
                    shapeText(c.shape(1)) + "; expected the same first " + Twine(batch) + " dimensions");
  if (!depthIsTo(c, c.rank(0) - batch))
    return false;
  const int64_t depth = c.shape(1).back();
  Shape shape(c.shape(1).begin(), c.shape(1).end() - 1);
  shape.append(c.shape(0).begin() + batch + depth, c.shape(0).end());
  return tuplesIndex(c, Sizes(c.shape(0)).slice(batch, depth)) && c.output(0, shape);
}

Value gather(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0)), rank = k.rank(1);
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, 1, k.shape(0)[axis]);
  return k.gatherOutput([&](const Indices &at) {
    Indices which(at.begin() + axis, at.begin() + axis + rank), from(at.begin(), at.begin() + axis);
    from.push_back(wrapped(k, k.toIndex(k.element(indices, which)), k.shape(0)[axis]));
    from.append(at.begin() + axis + rank, at.end());
    return k.element(x, from);
  });
}

Value gatherElements(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, 1, k.shape(0)[axis]);
  return k.gatherOutput([&](const Indices &at) {
    Indices from = at;
    from[axis] = wrapped(k, k.toIndex(k.element(indices, at)), k.shape(0)[axis]);
    return k.element(x, from);
  });
}

/// The indices' last dimension are tuples; the first `batch_dims` dimensions are those of both inputs.
Value gatherND(K &k) {
  const size_t batch = k.integer("batch_dims", 0), outer = k.rank(1) - 1, depth = k.shape(1).back();
  const Sizes sizes = Sizes(k.shape(0)).slice(batch, depth);
  Value x = k.in(0), indices = k.in(1);
  requireTuples(k, 1, sizes);
  return k.gatherOutput([&](const Indices &at) {
    Indices from(at.begin(), at.begin() + batch);
    from.append(tupleAt(k, indices, ArrayRef<Value>(at).take_front(outer), sizes));
    from.append(at.begin() + outer, at.end());
    return k.element(x, from);
  });
}

} // namespace

bool tuplesIndex(C &c, Sizes sizes) {
  const HostTensor *host = c.constant(1);
  const int64_t depth = c.shape(1).back();
  for (int64_t i = 0; host && i < host->size(); ++i)
    if (const int64_t index = host->ints[i], size = sizes[i % depth]; index < -size || index >= size)
      return c.fail("indices '" + c.name(1) + "' hold " + Twine(index) + " for a dimension of size " +
                    Twine(size) + "; expected " + Twine(-size) + " to " + Twine(size - 1));
  return llvm::all_of(sizes, [](int64_t size) { return size > 0; }) || c.elements(1) == 0 ||
         c.fail("indices '" + c.name(1) + "' select from shape " + shapeText(c.shape(0)) +
                "; expected dimensions with elements");
}

bool depthIsTo(C &c, int64_t most) {
  const int64_t depth = c.shape(1).back();
  return (depth >= 1 && depth <= most) ||
         c.fail("indices '" + c.name(1) + "' of shape " + shapeText(c.shape(1)) + " name " + Twine(depth) +
                " dimensions of shape " + shapeText(c.shape(0)) + "; expected 1 to " + Twine(most));
}

void addGathers(Operators &all) {
  all["Gather"] = {1, gather, gather, nullptr, inInt8};
  all["GatherElements"] = {11, gatherElements, gatherElements, nullptr, inInt8};
  all["GatherND"] = {11, gatherND, gatherND, nullptr, inInt8};
}

} // namespace daedalus::onnximport
