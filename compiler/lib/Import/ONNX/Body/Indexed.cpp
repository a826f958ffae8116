// See Indexed.h.

#include "Body/Indexed.h"

#include <numeric>

using namespace mlir;

namespace daedalus::onnximport {

/// That all elements of an input are `good`.
static void requireAll(K &k, size_t input, llvm::function_ref<Value(Value)> good) {
  if (k.constant(input) || product(k.shape(input)) == 0)
    return;
  const Shape &shape = k.shape(input);
  Value all = k.reduce({}, AffineMap::get(shape.size(), 0, k.b.getContext()), k.number(1, k.b.getI8Type()),
                       k.broadcast(k.in(input), shape),
                       [&](Value all, ValueRange x) { return k.both(all, k.stored(good(k.toIndex(x[0])))); });
  k.require(k.truth(k.element(all, {})), "indices");
}

/// Whether an index is from `least` to below `end`.
static Value isWithin(K &k, Value index, Value least, Value end) {
  return k.both(k.compare(Compare::GreaterOrEqual, index, least), k.compare(Compare::Less, index, end));
}

void requireRange(K &k, size_t input, int64_t least, int64_t end) {
  requireAll(k, input, [&](Value index) { return isWithin(k, index, k.index(least), k.index(end)); });
}

void requireIndices(K &k, size_t input, int64_t size) {
  requireRange(k, input, -size, size);
}

void requireLabels(K &k, size_t input, int64_t end, std::optional<int64_t> except) {
  requireAll(k, input, [&](Value label) {
    Value good = isWithin(k, label, k.index(0), k.index(end));
    return except ? k.either(good, k.equal(label, k.index(*except))) : good;
  });
}

void requireTuples(K &k, size_t input, Sizes sizes) {
  requireAll(k, input, [&](Value index) {
    Value which = k.loopIndex(k.rank(input) - 1), size = k.index(sizes[0]);
    for (size_t i = 1; i < sizes.size(); ++i)
      size = k.select(k.equal(which, k.index(i)), k.index(sizes[i]), size);
    return isWithin(k, index, k.sub(k.index(0), size), size);
  });
}

Value wrapped(K &k, Value index, int64_t size) {
  index = k.select(k.compare(Compare::Less, index, k.index(0)), k.add(index, k.index(size)), index);
  return k.inside(index, size);
}

Indices tupleAt(K &k, Value tuples, ArrayRef<Value> at, Sizes sizes) {
  Indices result;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Indices from(at.begin(), at.end());
    from.push_back(k.index(i));
    result.push_back(wrapped(k, k.toIndex(k.element(tuples, from)), size));
  }
  return result;
}

} // namespace daedalus::onnximport
