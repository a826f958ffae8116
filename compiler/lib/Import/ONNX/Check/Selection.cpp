// Operators that select elements by index, and that give the index of one.

#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool gather(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  Shape shape(c.shape(0).begin(), c.shape(0).begin() + axis);
  shape.append(c.shape(1).begin(), c.shape(1).end());
  shape.append(c.shape(0).begin() + axis + 1, c.shape(0).end());
  return c.output(0, shape);
}

bool gatherElements(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.rankIs(1, c.rank(0)) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  for (int64_t d = 0; d < c.rank(0); ++d)
    if (d != axis && c.shape(1)[d] != c.shape(0)[d])
      return c.fail("indices '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) + " for an input of " +
                    shapeText(c.shape(0)) + "; expected the same dimensions but " + Twine(axis));
  return c.output(0, c.shape(1));
}

bool argument(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.isFlag("keepdims") || !c.isFlag("select_last_index"))
    return false;
  Shape shape = c.shape(0);
  if (shape[axis] == 0)
    return c.fail("takes the extreme of dimension " + Twine(axis) + " of shape " + shapeText(shape) +
                  "; expected one with elements");
  shape[axis] = 1;
  if (!c.integer("keepdims", 1))
    shape.erase(shape.begin() + axis);
  return c.output(0, shape);
}

} // namespace

void addSelectionChecks(Checks &checks) {
  checks.insert({{"ArgMax", {1, argument}},
                 {"ArgMin", {1, argument}},
                 {"Gather", {1, gather}},
                 {"GatherElements", {11, gatherElements}}});
}

} // namespace daedalus::onnximport
