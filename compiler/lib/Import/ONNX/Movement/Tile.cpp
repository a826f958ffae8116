// Tile and Expand.

#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// The declared sizes are multiples of the input's.
bool repeatedAtRunTime(C &c) {
  if (!c.outputDeclared(0, c.rank(0)))
    return false;
  for (auto [whole, size] : llvm::zip(c.outputs[0].shape, c.shape(0)))
    if (size == 0 ? whole != 0 : whole % size != 0)
      return c.fail("output '" + c.node.proto.output(0) + "' is declared with shape " +
                    shapeText(c.outputs[0].shape) + "; expected multiples of " + shapeText(c.shape(0)));
  return true;
}

bool tile(C &c) {
  int64_t count = c.rank(0);
  if (!c.isList(1, count))
    return false;
  const std::optional<Shape> repeats = c.integers(1);
  if (!repeats)
    return repeatedAtRunTime(c);
  Shape shape = c.shape(0);
  for (size_t d = 0; d < shape.size(); ++d) {
    if ((*repeats)[d] < 0 || (*repeats)[d] > (int64_t(1) << 31))
      return c.fail("repeats '" + c.name(1) + "' hold " + Twine((*repeats)[d]) + "; expected 0 to 2^31");
    shape[d] *= (*repeats)[d];
  }
  return c.output(0, shape);
}

bool expand(C &c) {
  if (!c.isVector(1))
    return false;
  const std::optional<Shape> target = c.integers(1);
  if (!target) {
    if (!c.outputDeclared(0, std::max(c.rank(0), c.shape(1)[0])))
      return false;
    return !c.declared[0].shape || c.broadcastsTo(0, c.outputs[0].shape);
  }
  for (int64_t size : *target)
    if (size < 0)
      return c.fail("expands to " + shapeText(*target) + "; expected sizes of at least 0");
  const std::optional<Shape> shape = broadcastShapes(c.shape(0), *target);
  return shape ? c.output(0, *shape)
               : c.fail("expands shape " + shapeText(c.shape(0)) + " to " + shapeText(*target) +
                        ", which do not broadcast; expected sizes that are equal or 1");
}

/// The tensor's elements by `map` of the indices of a tensor of `shape`.
Value moved(K &k, Value x, Sizes shape, AffineMap map) {
  return k.elementwise(shape, elementOf(x), Read{x, map}, [](ValueRange x) { return x[0]; });
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

} // namespace

void addTile(Operators &all) {
  all["Expand"] = {8, expand, expand, nullptr, inInt8};
  all["Tile"] = {6, tile, tile, nullptr, inInt8};
}

} // namespace daedalus::onnximport
