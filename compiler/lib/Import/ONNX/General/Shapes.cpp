// Operators that give the elements another shape. Those whose shape is known when the model is compiled are
// views (Importer::importReshape); here are those whose shape or axes come at run time.

#include "Builds.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

Value sameElements(K &k) {
  return k.reshape(k.in(0), k.output.shape);
}

/// One -1 stands for what is left, 0 for the input's size (with allowzero for zero).
Value reshape(K &k) {
  const bool zeroIsZero = k.integer("allowzero", 0) != 0;
  Value fits = k.boolean(true), open = k.index(0);
  for (auto [d, size] : llvm::enumerate(k.output.shape)) {
    Value given = k.indexAt(1, d);
    open = k.sub(open, k.clamp(given, k.index(-1), k.index(0)));
    auto is = [&](int64_t value) { return k.compare(Body::Compare::Equal, given, k.index(value)); };
    Value good = k.either(is(size), is(-1));
    if (!zeroIsZero && int64_t(d) < k.rank(0) && k.shape(0)[d] == size)
      good = k.either(good, is(0));
    fits = k.both(fits, good);
  }
  fits = k.both(fits, k.compare(Body::Compare::LessOrEqual, open, k.index(1)));
  k.require(fits, "shape");
  return sameElements(k);
}

/// Axes that come at run time name different dimensions of size 1 of `shape`: the input's for Squeeze, the
/// output's for Unsqueeze. Any others than those of the declared shape would give another shape of the same
/// rank.
Value axesAtRunTime(K &k, const Shape &shape) {
  const int64_t rank = shape.size(), count = k.has(1) ? k.shape(1)[0] : 0;
  if (!k.has(1) || k.constant(1))
    return sameElements(k);
  Value fits = k.boolean(true), found = k.index(0);
  for (int64_t d = 0; d < rank; ++d) {
    Value hits = k.index(0);
    for (int64_t i = 0; i < count; ++i) {
      Value axis = k.indexAt(1, i);
      auto is = [&](int64_t value) { return k.compare(Body::Compare::Equal, axis, k.index(value)); };
      hits = k.add(hits, k.select(k.either(is(d), is(d - rank)), k.index(1), k.index(0)));
    }
    fits = k.both(fits, k.compare(Body::Compare::LessOrEqual, hits, k.index(shape[d] == 1 ? 1 : 0)));
    found = k.add(found, hits);
  }
  k.require(k.both(fits, k.compare(Body::Compare::Equal, found, k.index(count))), "axes");
  return sameElements(k);
}

Value squeeze(K &k) {
  return axesAtRunTime(k, k.shape(0));
}

Value unsqueeze(K &k) {
  return axesAtRunTime(k, k.output.shape);
}

Value constantOfShape(K &k) {
  Value fits = k.boolean(true);
  for (auto [d, size] : llvm::enumerate(k.output.shape))
    fits = k.both(fits, k.compare(Body::Compare::Equal, k.indexAt(0, d), k.index(size)));
  k.require(fits, "shape");
  const auto *given = attribute(k.node, "value");
  const HostTensorPtr value = given ? *decodeTensor(given->t()) : nullptr; // checked
  const TypedAttr number = value ? k.numberOf(*value) : k.numberOf(0, k.outputType());
  return k.filled(k.output.shape, k.b.create<arith::ConstantOp>(k.loc, number));
}

} // namespace

void addShapes(Builds &builds) {
  builds.insert({{"ConstantOfShape", constantOfShape},
                 {"Flatten", sameElements},
                 {"Reshape", reshape},
                 {"Squeeze", squeeze},
                 {"Unsqueeze", unsqueeze}});
}

} // namespace daedalus::onnximport
