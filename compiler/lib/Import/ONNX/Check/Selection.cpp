// Operators that select elements by index, and that give the index of one.

#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;
using kernels::Sizes;

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
    if (d != axis && c.shape(1)[d] != c.shape(0)[d] && c.elements(1) > 0)
      return c.fail("indices '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) + " for an input of " +
                    shapeText(c.shape(0)) + "; expected the same dimensions but " + Twine(axis));
  return c.output(0, c.shape(1));
}

bool argument(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 0, c.rank(0), axis) || !c.isFlag("keepdims") || !c.isFlag("select_last_index"))
    return false;
  Shape shape = c.shape(0);
  shape[axis] = 1;
  if (c.elements(0) == 0 && !llvm::is_contained(shape, 0))
    return c.fail("takes the extreme of dimension " + Twine(axis) + " of shape " + shapeText(c.shape(0)) +
                  "; expected one with elements");
  if (!c.integer("keepdims", 1))
    shape.erase(shape.begin() + axis);
  return c.output(0, shape);
}

/// That the tuples in input 1 [..., depth] index these dimensions.
bool tuplesIndex(C &c, Sizes sizes) {
  const HostTensor *host = c.constant(1);
  const int64_t depth = c.shape(1).back();
  for (int64_t i = 0; host && i < host->size(); ++i)
    if (const int64_t index = host->ints[i], size = sizes[i % depth]; index < -size || index >= size)
      return c.fail("indices '" + c.name(1) + "' hold " + Twine(index) + " for a dimension of size " +
                    Twine(size) + "; expected " + Twine(-size) + " to " + Twine(size - 1));
  return llvm::all_of(sizes, [](int64_t size) { return size > 0; }) || c.elements(1) == 0 ||
         c.fail("indices '" + c.name(1) + "' select from shape " + shapeText(c.shape(0)) +
                "; expected dimensions with elements");
}

/// The tuples of input 1 name 1 to `most` dimensions.
bool depthIsTo(C &c, int64_t most) {
  const int64_t depth = c.shape(1).back();
  return (depth >= 1 && depth <= most) ||
         c.fail("indices '" + c.name(1) + "' of shape " + shapeText(c.shape(1)) + " name " + Twine(depth) +
                " dimensions of shape " + shapeText(c.shape(0)) + "; expected 1 to " + Twine(most));
}

bool gatherND(C &c) {
  const int64_t batch = c.integer("batch_dims", 0), least = std::min(c.rank(0), c.rank(1));
  if (batch < 0 || batch >= least)
    return c.failToFit("batch_dims", Twine(batch), "0 to " + Twine(least - 1));
  for (int64_t d = 0; d < batch; ++d)
    if (c.shape(0)[d] != c.shape(1)[d])
      return c.fail("gathers from shape " + shapeText(c.shape(0)) + " by indices of shape " +
                    shapeText(c.shape(1)) + "; expected the same first " + Twine(batch) + " dimensions");
  if (!depthIsTo(c, c.rank(0) - batch))
    return false;
  const int64_t depth = c.shape(1).back();
  Shape shape(c.shape(1).begin(), c.shape(1).end() - 1);
  shape.append(c.shape(0).begin() + batch + depth, c.shape(0).end());
  return tuplesIndex(c, Sizes(c.shape(0)).slice(batch, depth)) && c.output(0, shape);
}

bool reduces(C &c) {
  return c.version >= 18 ? c.oneOf("reduction", "none", {"none", "add", "mul", "max", "min"})
                         : c.oneOf("reduction", "none", {"none", "add", "mul"});
}

bool scatterElements(C &c) {
  int64_t axis = 0;
  if (!reduces(c) || !c.axis("axis", 0, c.rank(0), axis) || !c.rankIs(1, c.rank(0)) ||
      !c.hasShape(2, c.shape(1)) || !c.indexes(1, c.shape(0)[axis]))
    return false;
  for (int64_t d = 0; d < c.rank(0); ++d)
    if (d != axis && c.shape(1)[d] > c.shape(0)[d])
      return c.fail("indices '" + c.name(1) + "' have shape " + shapeText(c.shape(1)) + " for an input of " +
                    shapeText(c.shape(0)) + "; expected no larger dimensions but " + Twine(axis));
  return c.like(0);
}

bool scatterND(C &c) {
  if (!reduces(c) || !c.rankAtLeast(0, 1) || !c.rankAtLeast(1, 1) || !depthIsTo(c, c.rank(0)))
    return false;
  const int64_t depth = c.shape(1).back();
  Shape updates(c.shape(1).begin(), c.shape(1).end() - 1);
  updates.append(c.shape(0).begin() + depth, c.shape(0).end());
  return c.hasShape(2, updates) && tuplesIndex(c, Sizes(c.shape(0)).take_front(depth)) && c.like(0);
}

bool tensorScatter(C &c) {
  int64_t axis = 0;
  if (!c.oneOf("mode", "linear", {"linear", "circular"}) || !c.axis("axis", -2, c.rank(0), axis))
    return false;
  if (axis == 0)
    return c.failAttribute("axis", Twine(c.integer("axis", -2)),
                           "another dimension than the first, of batches");
  Shape updates = c.shape(0);
  if (c.rank(1) == c.rank(0))
    updates[axis] = std::min(updates[axis], c.shape(1)[axis]);
  if (!c.hasShape(1, updates) || (c.has(2) && !c.hasShape(2, {c.shape(0)[0]})))
    return false;
  const int64_t size = c.shape(0)[axis];
  const bool isCircular = c.text("mode", "linear") == "circular";
  const int64_t end = isCircular ? size : size - updates[axis] + 1;
  if (const HostTensor *starts = c.constant(2))
    for (int64_t start : starts->ints)
      if (start < 0 || start >= end)
        return c.fail("indices '" + c.name(2) + "' hold " + Twine(start) + "; expected 0 to " +
                      Twine(end - 1));
  return c.like(0);
}

} // namespace

void addSelectionChecks(Checks &checks) {
  checks.insert({{"ArgMax", {1, argument}},
                 {"ArgMin", {1, argument}},
                 {"Gather", {1, gather}},
                 {"GatherElements", {11, gatherElements}},
                 {"GatherND", {11, gatherND}},
                 {"Scatter", {9, scatterElements}},
                 {"ScatterElements", {11, scatterElements}},
                 {"ScatterND", {11, scatterND}},
                 {"TensorScatter", {24, tensorScatter}}});
}

} // namespace daedalus::onnximport
