// Operators whose output's elements lie where indices say.

#include "Builds.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;
using Compare = Body::Compare;

/// Indices that come at run time select elements that are there.
void requireIndices(K &k, int64_t size) {
  if (k.constant(1))
    return; // checked
  SmallVector<unsigned> all(k.rank(1));
  std::iota(all.begin(), all.end(), 0);
  Value good = k.reduce(k.in(1), all, k.number(1, k.b.getI8Type()), [&](Value all, Value index) {
    index = k.toIndex(index);
    Value fits = k.both(k.compare(Compare::GreaterOrEqual, index, k.index(-size)),
                        k.compare(Compare::Less, index, k.index(size)));
    return k.both(all, k.stored(fits));
  });
  k.require(k.truth(k.element(good, {})), "indices");
}

Value gather(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0)), rank = k.rank(1);
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, k.shape(0)[axis]);
  return k.gatherOutput([&](const Indices &at) {
    Indices which(at.begin() + axis, at.begin() + axis + rank), from(at.begin(), at.begin() + axis);
    Value index = k.toIndex(k.element(indices, which));
    const int64_t size = k.shape(0)[axis];
    index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(size)), index);
    from.push_back(k.inside(index, size));
    from.append(at.begin() + axis + rank, at.end());
    return k.element(x, from);
  });
}

Value gatherElements(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  Value x = k.in(0), indices = k.in(1);
  requireIndices(k, k.shape(0)[axis]);
  return k.gatherOutput([&](const Indices &at) {
    const int64_t size = k.shape(0)[axis];
    Value index = k.toIndex(k.element(indices, at));
    index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(size)), index);
    Indices from = at;
    from[axis] = k.inside(index, size);
    return k.element(x, from);
  });
}

} // namespace

void addGathers(Builds &builds) {
  builds.insert({{"Gather", gather}, {"GatherElements", gatherElements}});
}

} // namespace daedalus::onnximport
