// Reshape, Flatten, Squeeze and Unsqueeze. Those whose shape is known when the model is compiled are views
// (importReshape); bodies are for shapes and axes that come at run time.

#include "OperatorTable.h"
#include "Shapes/Views.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// A shape that comes at run time: the declared one has as many elements.
bool declaredElements(C &c, int64_t rank) {
  if (!c.outputDeclared(0, rank))
    return false;
  const Shape &shape = c.outputs[0].shape;
  const bool isStatic =
      c.declared[0].shape && llvm::all_of(*c.declared[0].shape, [](int64_t d) { return d >= 0; });
  return !isStatic || elementCount({shape.begin(), shape.end()}) == c.elements(0) ||
         c.fail("output '" + c.node.proto.output(0) + "' is declared with shape " + shapeText(shape) +
                "; expected one of the " + Twine(c.elements(0)) + " elements of input '" + c.name(0) + "'");
}

bool reshape(C &c) {
  if (!c.isVector(1) || !c.isFlag("allowzero"))
    return false;
  const std::optional<Shape> given = c.integers(1);
  if (!given)
    return declaredElements(c, c.shape(1)[0]);
  Shape shape;
  int64_t unknown = -1;
  double known = 1;
  for (size_t i = 0; i < given->size(); ++i) {
    int64_t size = (*given)[i];
    if (size == 0 && !c.integer("allowzero", 0)) {
      if (i >= c.shape(0).size())
        return c.fail("reshapes to " + shapeText(*given) + ", whose 0 at " + Twine(i) +
                      " stands for a dimension that shape " + shapeText(c.shape(0)) +
                      " does not have; expected zeros for its " + Twine(c.rank(0)) + " dimensions alone");
      size = c.shape(0)[i];
    }
    if (size < -1 || (size == -1 && unknown >= 0))
      return c.fail("reshapes to " + shapeText(*given) + "; expected positive sizes and at most one -1");
    unknown = size == -1 ? int64_t(i) : unknown;
    known *= size == -1 ? 1.0 : double(size);
    shape.push_back(size);
  }
  const int64_t count = c.elements(0);
  if (unknown >= 0 && known > 0 && known <= double(count))
    shape[unknown] = count / int64_t(known);
  else if (unknown >= 0)
    shape[unknown] = 0;
  if (known * (unknown >= 0 ? double(shape[unknown]) : 1.0) != double(count) || (unknown >= 0 && known == 0))
    return c.fail("reshapes " + shapeText(c.shape(0)) + " to " + shapeText(*given) +
                  ", which has another number of elements; expected " + Twine(count));
  return c.output(0, shape);
}

bool flatten(C &c) {
  const int64_t rank = c.rank(0), given = c.integer("axis", 1), axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis > rank || (given < 0 && c.version < 11))
    return c.failToFit("axis", Twine(given), Twine(c.version < 11 ? 0 : -rank) + " to " + Twine(rank));
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d < rank; ++d)
    (d < axis ? outer : inner) *= c.shape(0)[d];
  return c.output(0, {outer, inner});
}

/// The axes of Squeeze and Unsqueeze: an attribute, or from opset 13 on an input. Nothing: at run time.
std::optional<Shape> axesOf(C &c) {
  return c.has(1) ? c.integers(1) : c.list("axes", {});
}

std::string axesName(C &c) {
  return c.has(1) ? "input '" + c.name(1) + "'" : "attribute 'axes'";
}

bool squeeze(C &c) {
  if (c.has(1) && !c.isVector(1))
    return false;
  std::optional<Shape> axes = axesOf(c);
  if (!axes)
    return declaredElements(c, c.rank(0) - c.shape(1)[0]);
  if (!c.axes(axesName(c), *axes, c.rank(0)))
    return false;
  const bool all = !c.has(1) && !c.attribute("axes");
  Shape shape;
  for (int64_t d = 0; d < c.rank(0); ++d) {
    const bool named = llvm::is_contained(*axes, d);
    if (named && c.shape(0)[d] != 1)
      return c.fail("removes dimension " + Twine(d) + " of shape " + shapeText(c.shape(0)) +
                    "; expected one of size 1");
    if (!(named || (all && c.shape(0)[d] == 1)))
      shape.push_back(c.shape(0)[d]);
  }
  return c.output(0, shape);
}

bool unsqueeze(C &c) {
  if (c.has(1) && !c.isVector(1))
    return false;
  std::optional<Shape> axes = axesOf(c);
  if (!axes)
    return declaredElements(c, c.rank(0) + c.shape(1)[0]);
  const int64_t rank = c.rank(0) + axes->size();
  if (!c.axes(axesName(c), *axes, rank))
    return false;
  Shape shape;
  size_t from = 0;
  for (int64_t d = 0; d < rank; ++d)
    shape.push_back(llvm::is_contained(*axes, d) ? 1 : c.shape(0)[from++]);
  return c.output(0, shape);
}

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
    auto is = [&](int64_t value) { return k.compare(Compare::Equal, given, k.index(value)); };
    Value good = k.either(is(size), is(-1));
    if (!zeroIsZero && int64_t(d) < k.rank(0) && k.shape(0)[d] == size)
      good = k.either(good, is(0));
    fits = k.both(fits, good);
  }
  fits = k.both(fits, k.compare(Compare::LessOrEqual, open, k.index(1)));
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
      auto is = [&](int64_t value) { return k.compare(Compare::Equal, axis, k.index(value)); };
      hits = k.add(hits, k.select(k.either(is(d), is(d - rank)), k.index(1), k.index(0)));
    }
    fits = k.both(fits, k.compare(Compare::LessOrEqual, hits, k.index(shape[d] == 1 ? 1 : 0)));
    found = k.add(found, hits);
  }
  k.require(k.both(fits, k.compare(Compare::Equal, found, k.index(count))), "axes");
  return sameElements(k);
}

Value squeeze(K &k) {
  return axesAtRunTime(k, k.shape(0));
}

Value unsqueeze(K &k) {
  return axesAtRunTime(k, k.output.shape);
}

} // namespace

Covered importReshape(Importer &im, const Node &node) {
  const bool hasShape = node.proto.op_type() != "Dropout" && im.has(node, 1);
  if (hasShape && !im.constantInput(node, 1))
    return false;
  FailureOr<PlainType> output = im.declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  if (llvm::is_contained(output->shape, 0)) // tosa has no empty tensors
    return false;
  Value x = im.valueOf(node, 0);
  const auto type = cast<RankedTensorType>(x.getType());
  im.defineMoved(node, im.builder.create<tosa::ReshapeOp>(node.loc, type.clone(output->shape), x,
                                                          im.builder.getDenseI64ArrayAttr(output->shape)));
  return true;
}

void addReshapes(Operators &all) {
  const char *view = "a view";
  all["Flatten"] = {1, flatten, sameElements, importReshape, view};
  all["Reshape"] = {5, reshape, reshape, importReshape, view};
  all["Squeeze"] = {1, squeeze, squeeze, importReshape, view};
  all["Unsqueeze"] = {1, unsqueeze, unsqueeze, importReshape, view};
}

} // namespace daedalus::onnximport
