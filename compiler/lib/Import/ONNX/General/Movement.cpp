// Operators that move or repeat elements by an affine rule: permutations, repetitions, blocks.

#include "../BlockMove.h"
#include "Builds.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// The tensor's elements by `map` of the indices of a tensor of `shape`.
Value moved(K &k, Value x, Sizes shape, AffineMap map) {
  return k.elementwise(shape, elementOf(x), Read{x, map}, [](ValueRange x) { return x[0]; });
}

Value transpose(K &k) {
  Shape reverse;
  for (int64_t d = k.rank(0); d-- > 0;)
    reverse.push_back(d);
  return k.transpose(k.in(0), intsAttribute(k.node, "perm", reverse));
}

Value expand(K &k) {
  Value fits = k.boolean(true);
  const int64_t rank = k.output.shape.size(), given = k.shape(1).empty() ? 1 : k.shape(1)[0];
  for (int64_t i = 0; i < given && !k.constant(1); ++i) {
    Value size = k.indexAt(1, i);
    Value isOne = k.equal(size, k.index(1)),
          isSame = k.equal(size, k.index(k.output.shape[rank - given + i]));
    fits = k.both(fits, k.either(isOne, isSame));
  }
  k.require(fits, "shape");
  return k.elementwiseOutput(k.broadcast(k.in(0), k.output.shape), [](ValueRange x) { return x[0]; });
}

/// Each dimension that repeats is two: how often, and which element.
Value tile(K &k) {
  Value fits = k.boolean(true);
  Shape shape;
  SmallVector<unsigned> elements;
  for (auto [d, size] : llvm::enumerate(k.shape(0))) {
    const int64_t whole = k.output.shape[d];
    fits = k.both(fits, k.equal(k.mul(k.indexAt(1, d), k.index(size)), k.index(whole)));
    if (size > 0 && whole != size)
      shape.push_back(whole / size);
    elements.push_back(shape.size());
    shape.push_back(whole == 0 ? 0 : size);
  }
  k.require(fits, "repeats");
  return k.reshape(moved(k, k.in(0), shape, k.loops(shape.size(), elements)), k.output.shape);
}

Value blocks(K &k) {
  const BlockMove move = blockMoveOf(k.node, k.shape(0));
  return k.reshape(k.transpose(k.reshape(k.in(0), move.split), move.order), move.shape);
}

} // namespace

void addMovement(Builds &builds) {
  builds.insert({{"DepthToSpace", blocks},
                 {"Expand", expand},
                 {"SpaceToDepth", blocks},
                 {"Tile", tile},
                 {"Transpose", transpose}});
}

} // namespace daedalus::onnximport
