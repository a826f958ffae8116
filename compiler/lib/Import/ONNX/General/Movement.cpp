// Operators that move or repeat elements by an affine rule: permutations, repetitions, blocks.

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

/// Where the position in a block of pixels lies: before the channels (DCR) or behind them (CRD).
bool isBehindChannels(K &k) {
  return textAttribute(k.node, "mode", "DCR") == "CRD";
}

Value depthToSpace(K &k) {
  const int64_t block = k.integer("blocksize", 1), channels = k.output.shape[1];
  const int64_t n = k.shape(0)[0], h = k.shape(0)[2], w = k.shape(0)[3];
  Value blocks = isBehindChannels(k)
                     ? k.transpose(k.reshape(k.in(0), {n, channels, block, block, h, w}), {0, 1, 4, 2, 5, 3})
                     : k.transpose(k.reshape(k.in(0), {n, block, block, channels, h, w}), {0, 3, 4, 1, 5, 2});
  return k.reshape(blocks, k.output.shape);
}

Value spaceToDepth(K &k) {
  const int64_t block = k.integer("blocksize", 1), n = k.shape(0)[0], channels = k.shape(0)[1];
  const int64_t h = k.output.shape[2], w = k.output.shape[3];
  Value blocks = k.reshape(k.in(0), {n, channels, h, block, w, block});
  Value channel =
      isBehindChannels(k) ? k.transpose(blocks, {0, 1, 3, 5, 2, 4}) : k.transpose(blocks, {0, 3, 5, 1, 2, 4});
  return k.reshape(channel, k.output.shape);
}

} // namespace

void addMovement(Builds &builds) {
  builds.insert({{"DepthToSpace", depthToSpace},
                 {"Expand", expand},
                 {"SpaceToDepth", spaceToDepth},
                 {"Tile", tile},
                 {"Transpose", transpose}});
}

} // namespace daedalus::onnximport
