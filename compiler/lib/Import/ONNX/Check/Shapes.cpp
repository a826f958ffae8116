// Operators that give the elements another shape, or make a tensor of a shape.

#include "NodeCheck.h"

#include "../General/Types.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

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

bool constantOfShape(C &c) {
  if (!c.isVector(0))
    return false;
  c.outputs[0].dtype = onnx::TensorProto::FLOAT;
  if (const auto *value = c.attribute("value")) {
    const Result<HostTensorPtr> host = decodeTensor(value->t());
    if (!host || (*host)->size() != 1)
      return c.fail(
          "attribute 'value' " +
          (host ? "has shape " + shapeText((*host)->shape) + "; expected one number" : host.error()));
    c.outputs[0].dtype = (*host)->dtype;
  }
  const std::optional<Shape> shape = c.integers(0);
  if (!shape)
    return c.outputDeclared(0, c.shape(0)[0]);
  for (int64_t size : *shape)
    if (size < 0 || size > (int64_t(1) << 31))
      return c.fail("makes a tensor of shape " + shapeText(*shape) + "; expected sizes from 0 to 2^31");
  return c.output(0, *shape);
}

bool shapeOf(C &c) {
  const auto [start, end] = shapeRange(c.node, c.rank(0));
  return c.output(0, {end - start});
}

bool sizeOf(C &c) {
  return c.output(0, {});
}

bool constant(C &c) {
  const Result<HostTensorPtr> read = readConstant(c.node);
  if (!read)
    return c.fail(read.error());
  const HostTensorPtr &host = *read;
  c.outputs[0].dtype = host->dtype;
  c.outputs[0].constant = host;
  return c.output(0, Shape(host->shape.begin(), host->shape.end()));
}

} // namespace

void addShapeChecks(Checks &checks) {
  checks.insert({{"Constant", {1, constant}},
                 {"ConstantOfShape", {9, constantOfShape}},
                 {"Expand", {8, expand}},
                 {"Flatten", {1, flatten}},
                 {"Reshape", {5, reshape}},
                 {"Shape", {1, shapeOf}},
                 {"Size", {1, sizeOf}},
                 {"Squeeze", {1, squeeze}},
                 {"Unsqueeze", {1, unsqueeze}}});
}

} // namespace daedalus::onnximport
