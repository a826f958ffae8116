// Operators whose element depends on where it lies, those that go along an axis, and those that order it.

#include "NodeCheck.h"

#include "../General/Types.h"

#include <cmath>

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool trilu(C &c) {
  return c.isFlag("upper") && c.rankAtLeast(0, 2) && (!c.has(1) || c.isScalar(1, "diagonal")) && c.like(0);
}

bool eyeLike(C &c) {
  c.outputs[0].dtype = typeAttribute(c.node, "dtype", c.dtype(0));
  if (!isPlainType(c.outputs[0].dtype))
    return c.failAttribute("dtype", Twine(c.integer("dtype", 0)), plainTypeNames);
  return c.rankIs(0, 2) && c.like(0);
}

/// The number that a constant scalar holds.
std::optional<double> numberOf(C &c, size_t input) {
  const HostTensor *host = c.constant(input);
  if (!host || host->size() != 1)
    return std::nullopt;
  return host->floats.size()    ? host->floats[0]
         : host->doubles.size() ? host->doubles[0]
                                : double(host->ints[0]);
}

bool range(C &c) {
  if (const int64_t stash = c.integer("stash_type", 1); stash != 1)
    return c.failAttribute("stash_type", Twine(stash), "1 (float32)");
  for (size_t input : {0, 1, 2})
    if (!c.isScalar(input, "bound"))
      return false;
  const auto start = numberOf(c, 0), limit = numberOf(c, 1), delta = numberOf(c, 2);
  if (delta && *delta == 0)
    return c.fail("goes in steps of '" + c.name(2) + "', which is 0; expected another number");
  if (!start || !limit || !delta)
    return c.outputDeclared(0, 1);
  const double count = std::max(std::ceil((*limit - *start) / *delta), 0.0);
  if (!(count <= 2147483648.0))
    return c.fail("gives " + std::to_string(count) + " numbers; expected at most 2^31");
  return c.output(0, {static_cast<int64_t>(count)});
}

bool oneHot(C &c) {
  if (!c.isScalar(1, "depth") || !c.hasShape(2, {2}))
    return false;
  int64_t axis = 0;
  if (!c.axis("axis", -1, c.rank(0) + 1, axis))
    return false;
  const auto depth = numberOf(c, 1);
  if (!depth) {
    Shape open = c.shape(0);
    open.insert(open.begin() + axis, -1);
    return c.outputDeclaredAs(0, open);
  }
  if (!(*depth >= 0 && *depth <= 2147483648.0))
    return c.fail("depth '" + c.name(1) + "' is " + Twine(int64_t(*depth)) + "; expected 0 to 2^31");
  Shape shape = c.shape(0);
  shape.insert(shape.begin() + axis, static_cast<int64_t>(*depth));
  return c.output(0, shape);
}

bool scan(C &c) {
  if (!c.isFlag("reverse") || !c.isFlag("exclusive") || !c.rankAtLeast(0, 1) || !c.isScalar(1, "axis"))
    return false;
  if (std::optional<Shape> axis = c.integers(1))
    if (!c.axes("input '" + c.name(1) + "'", *axis, c.rank(0)))
      return false;
  return c.like(0);
}

bool hardmax(C &c) {
  int64_t axis = 0;
  return c.axis("axis", c.version < 13 ? 1 : -1, c.rank(0), axis) && c.like(0);
}

/// A count that comes at run time is what the model declares.
bool countsFit(C &c, int64_t axis) {
  for (size_t i = 0; i < c.outputs.size(); ++i)
    if (const Shape &shape = c.outputs[i].shape; !shape.empty() && shape[axis] > c.shape(0)[axis])
      return c.fail("output '" + c.node.proto.output(i) + "' is declared with " + Twine(shape[axis]) +
                    " elements of dimension " + Twine(axis) + "; expected at most " +
                    Twine(c.shape(0)[axis]));
  return true;
}

bool topK(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", -1, c.rank(0), axis) || !c.isFlag("largest") || !c.isFlag("sorted"))
    return false;
  std::optional<Shape> count = c.version < 10 ? Shape{c.integer("k", 0)} : c.integers(1);
  if (c.has(1) && !c.isScalar(1, "count"))
    return false;
  if (!count) {
    Shape open = c.shape(0);
    open[axis] = -1;
    return c.outputDeclaredAs(0, open) && c.outputDeclaredAs(1, open) && countsFit(c, axis);
  }
  if ((*count)[0] < 0 || (*count)[0] > c.shape(0)[axis])
    return c.fail("takes " + Twine((*count)[0]) + " elements of dimension " + Twine(axis) + " of shape " +
                  shapeText(c.shape(0)) + "; expected 0 to " + Twine(c.shape(0)[axis]));
  Shape shape = c.shape(0);
  shape[axis] = (*count)[0];
  return c.output(0, shape) && c.output(1, shape);
}

} // namespace

void addPatternChecks(Checks &checks) {
  checks.insert({{"CumProd", {26, scan}},
                 {"CumSum", {11, scan}},
                 {"EyeLike", {9, eyeLike}},
                 {"Hardmax", {1, hardmax}},
                 {"OneHot", {9, oneHot}},
                 {"Range", {11, range}},
                 {"TopK", {1, topK}},
                 {"Trilu", {14, trilu}}});
}

} // namespace daedalus::onnximport
