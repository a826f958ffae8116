// Operators whose output's elements lie where indices say.

#include "Builds.h"
#include "Indexed.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

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

void addGathers(Builds &builds) {
  builds.insert({{"Gather", gather}, {"GatherElements", gatherElements}, {"GatherND", gatherND}});
}

} // namespace daedalus::onnximport
