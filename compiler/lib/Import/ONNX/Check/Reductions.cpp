// Reductions along axes, and softmax.

#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

/// Of no elements a mean has no value; a sum, a product and an extreme have: what they start from.
bool hasValue(C &c) {
  if (c.node.proto.op_type() != "ReduceMean" || c.elements(0) > 0 ||
      llvm::is_contained(c.outputs[0].shape, 0))
    return true;
  return c.fail("takes the mean of input '" + c.name(0) + "' of shape " + shapeText(c.shape(0)) +
                ", which holds no element; expected at least one");
}

bool reduction(C &c) {
  if (!c.isFlag("keepdims") || !c.isFlag("noop_with_empty_axes"))
    return false;
  if (c.has(1) && c.rank(1) != 1)
    return c.fail("axes '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) +
                  "; expected one dimension");
  std::optional<Shape> axes = c.has(1) ? c.integers(1) : c.list("axes", {});
  if (c.has(1) && c.elements(1) == 0)
    axes = Shape();
  const bool keeps = c.integer("keepdims", 1);
  if (!axes)
    return c.outputDeclared(0, keeps ? c.rank(0) : -1) && hasValue(c);
  if (!c.axes(c.has(1) ? "input '" + c.name(1) + "'" : "attribute 'axes'", *axes, c.rank(0)))
    return false;
  if (axes->empty() && !c.integer("noop_with_empty_axes", 0))
    for (int64_t d = 0; d < c.rank(0); ++d)
      axes->push_back(d);
  Shape shape;
  for (int64_t d = 0; d < c.rank(0); ++d) {
    const bool reduced = llvm::is_contained(*axes, d);
    if (!reduced || keeps)
      shape.push_back(reduced ? 1 : c.shape(0)[d]);
  }
  return c.output(0, shape) && hasValue(c);
}

bool softmax(C &c) {
  int64_t axis = 0;
  return c.axis("axis", c.version < 13 ? 1 : -1, c.rank(0), axis) && c.like(0);
}

} // namespace

void addReductionChecks(Checks &checks) {
  for (const char *name : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                           "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"})
    checks[name] = {1, reduction};
  checks["Softmax"] = checks["LogSoftmax"] = {1, softmax};
}

} // namespace daedalus::onnximport
