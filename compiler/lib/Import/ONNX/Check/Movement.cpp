// Operators that move elements: permutations, slices, joins, pads, blocks.

#include "NodeCheck.h"

#include <numeric>

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool transpose(C &c) {
  Shape reverse(c.rank(0));
  std::iota(reverse.rbegin(), reverse.rend(), 0);
  const Shape permutation = c.list("perm", reverse);
  Shape sorted = permutation, shape;
  llvm::sort(sorted);
  std::reverse(reverse.begin(), reverse.end());
  if (sorted != reverse)
    return c.failToFit("perm", shapeText(permutation),
                       "a permutation of the " + Twine(c.rank(0)) + " dimensions of shape " +
                           shapeText(c.shape(0)));
  for (int64_t from : permutation)
    shape.push_back(c.shape(0)[from]);
  return c.output(0, shape);
}

/// Starts, ends, axes and steps of a Slice, where all are known.
struct SliceFields {
  Shape starts, ends, axes, steps;
  bool isKnown = true;
};

/// An input of one dimension with `count` integers (-1: any number).
bool isList(C &c, size_t input, int64_t &count) {
  if (!c.isVector(input))
    return false;
  if (count >= 0 && c.shape(input)[0] != count)
    return c.fail("input '" + c.name(input) + "' has shape " + shapeText(c.shape(input)) + "; expected [" +
                  Twine(count) + "]");
  count = c.shape(input)[0];
  return true;
}

bool readSlice(C &c, SliceFields &fields) {
  int64_t count = -1;
  if (c.version < 10) {
    fields.starts = c.list("starts", {}), fields.ends = c.list("ends", {});
    count = fields.starts.size();
    if (fields.ends.size() != fields.starts.size())
      return c.failAttribute("ends", shapeText(fields.ends), Twine(count) + " as 'starts' has");
  }
  Shape all(count < 0 ? 0 : count);
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.has(i) && !isList(c, i, count))
      return false;
  all.resize(count);
  std::iota(all.begin(), all.end(), 0);
  fields.axes = c.version < 10 ? c.list("axes", all) : all;
  fields.steps.assign(count, 1);
  Shape *const lists[] = {nullptr, &fields.starts, &fields.ends, &fields.axes, &fields.steps};
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.has(i)) {
      auto values = c.integers(i);
      *lists[i] = values.value_or(Shape());
      fields.isKnown &= values.has_value();
    }
  if (static_cast<int64_t>(fields.axes.size()) != count && !(c.has(3) && !c.integers(3)))
    return c.failToFit("axes", shapeText(fields.axes), Twine(count) + " axes, as 'starts' has");
  if (count > c.rank(0))
    return c.fail("slices " + Twine(count) + " dimensions of shape " + shapeText(c.shape(0)) +
                  "; expected at most " + Twine(c.rank(0)));
  return true;
}

int64_t sliceLength(int64_t start, int64_t end, int64_t step, int64_t size) {
  start = start < 0 ? start + size : start, end = end < 0 ? end + size : end;
  if (step > 0) {
    start = std::clamp<int64_t>(start, 0, size), end = std::clamp<int64_t>(end, 0, size);
    return std::max<int64_t>((end - start + step - 1) / step, 0);
  }
  start = std::clamp<int64_t>(start, 0, size - 1), end = std::clamp<int64_t>(end, -1, size - 1);
  return size ? std::max<int64_t>((end - start + step + 1) / step, 0) : 0;
}

bool slice(C &c) {
  SliceFields fields;
  if (!readSlice(c, fields))
    return false;
  if (!c.has(3) || c.integers(3)) {
    Shape axes = fields.axes;
    if (!c.axes(c.has(3) ? "input '" + c.name(3) + "'" : "attribute 'axes'", axes, c.rank(0)))
      return false;
    fields.axes = axes;
  }
  for (int64_t step : fields.steps)
    if (step == 0 || step > (int64_t(1) << 31) || step < -(int64_t(1) << 31))
      return c.fail("steps '" + c.name(4) + "' hold " + Twine(step) +
                    "; expected steps other than 0, of at most 2^31");
  if (!fields.isKnown)
    return c.outputDeclared(0, c.rank(0));
  Shape shape = c.shape(0);
  for (size_t i = 0; i < fields.axes.size(); ++i)
    shape[fields.axes[i]] =
        sliceLength(fields.starts[i], fields.ends[i], fields.steps[i], shape[fields.axes[i]]);
  return c.output(0, shape);
}

bool concat(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 1, c.rank(0), axis))
    return false;
  Shape shape = c.shape(0);
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.rank(i) == c.rank(0))
      shape[axis] += c.shape(i)[axis];
  for (size_t i = 0; i < c.inputs.size(); ++i)
    for (int64_t d = 0; d < c.rank(0); ++d)
      if (c.rank(i) != c.rank(0) || (d != axis && c.shape(i)[d] != shape[d]))
        return c.fail("joins shape " + shapeText(c.shape(i)) + " along axis " + Twine(c.integer("axis", 1)) +
                      " into " + shapeText(shape) + "; expected the same other dimensions");
  return c.output(0, shape);
}

/// From opset 18 on `num_outputs` parts are of one size but the last, which may be smaller.
bool splitEvenly(C &c, int64_t size, Shape &sizes) {
  const int64_t parts = c.outputs.size(), given = c.integer("num_outputs", 0);
  if (given != parts)
    return c.attribute("num_outputs")
               ? c.failToFit("num_outputs", Twine(given), Twine(parts) + ", as many as outputs")
               : c.fail(
                     "has neither sizes nor their number; expected input 'split' or attribute 'num_outputs'");
  const int64_t each = (size + parts - 1) / parts;
  sizes.assign(parts, each);
  sizes.back() = size - each * (parts - 1);
  return sizes.back() >= 0 || c.fail("splits a dimension of size " + Twine(size) + " into " + Twine(parts) +
                                     " parts of " + Twine(each) + "; expected at least that many elements");
}

/// The sizes of the parts; nothing where they come at run time.
bool splitSizes(C &c, int64_t size, std::optional<Shape> &sizes) {
  const int64_t parts = c.outputs.size();
  sizes = Shape(parts, size / parts);
  if (c.has(1)) {
    sizes = c.integers(1);
    return c.isVector(1) &&
           (c.shape(1)[0] == parts ||
            c.fail("input '" + c.name(1) + "' has shape " + shapeText(c.shape(1)) + "; expected [" +
                   Twine(parts) + "], as the node has " + Twine(parts) + " outputs"));
  }
  if (c.attribute("split")) {
    sizes = c.list("split", {});
    return static_cast<int64_t>(sizes->size()) == parts ||
           c.failToFit("split", shapeText(*sizes), "a size for each of " + Twine(parts) + " outputs");
  }
  if (c.attribute("num_outputs") || c.version >= 18)
    return splitEvenly(c, size, *sizes);
  return size % parts == 0 ||
         c.fail("has " + Twine(parts) + " outputs for equal parts of a dimension of size " + Twine(size) +
                "; expected a number that divides it");
}

bool split(C &c) {
  int64_t axis = 0;
  std::optional<Shape> sizes;
  if (c.version < 2 && c.has(1))
    return c.fail("has its sizes as an input; expected opset 2 or newer");
  if (!c.axis("axis", 0, c.rank(0), axis) || !splitSizes(c, c.shape(0)[axis], sizes))
    return false;
  if (!sizes) {
    Shape open = c.shape(0);
    open[axis] = -1;
    for (size_t i = 0; i < c.outputs.size(); ++i)
      if (!c.outputDeclaredAs(i, open))
        return false;
    return true;
  }
  int64_t rest = c.shape(0)[axis];
  for (int64_t size : *sizes)
    rest -= size < 0 || size > rest ? rest + 1 : size;
  if (rest != 0)
    return c.fail("splits a dimension of size " + Twine(c.shape(0)[axis]) + " into parts of " +
                  shapeText(*sizes) + "; expected sizes of that sum");
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    Shape shape = c.shape(0);
    shape[axis] = (*sizes)[i];
    if (!c.output(i, shape))
      return false;
  }
  return true;
}

bool padFits(C &c, const Shape &pads, const std::string &mode) {
  const int64_t rank = c.rank(0);
  for (int64_t d = 0; d < rank; ++d)
    for (int64_t pad : {pads[d], pads[rank + d]}) {
      if (pad < -c.shape(0)[d] || pad > (int64_t(1) << 31))
        return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) + " by " +
                      Twine(pad) + "; expected at least " + Twine(-c.shape(0)[d]) + " and at most 2^31");
      if (pad > 0 && ((mode == "reflect" && pad >= c.shape(0)[d]) || (mode == "edge" && !c.shape(0)[d]) ||
                      (mode == "wrap" && pad > c.shape(0)[d])))
        return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) + " by " +
                      Twine(pad) + " in mode '" + mode + "'; expected " +
                      (mode == "edge"   ? "a dimension with elements"
                       : mode == "wrap" ? "at most its size"
                                        : "less than its size"));
    }
  return true;
}

/// The pads of all dimensions of those of `axes`.
Shape padsOfAll(int64_t rank, const Shape &axes, const Shape &pads) {
  Shape all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i)
    all[axes[i]] = pads[i], all[rank + axes[i]] = pads[axes.size() + i];
  return all;
}

bool pad(C &c) {
  if (c.version >= 19 ? !c.oneOf("mode", "constant", {"constant", "edge", "reflect", "wrap"})
                      : !c.oneOf("mode", "constant", {"constant", "edge", "reflect"}))
    return false;
  Shape axes(c.rank(0));
  std::iota(axes.begin(), axes.end(), 0);
  if (c.has(3)) {
    const std::optional<Shape> given = c.integers(3);
    if (!c.isVector(3))
      return false;
    if (!given)
      return c.fail("axes '" + c.name(3) + "' come at run time; expected constant ones");
    axes = *given;
    if (!c.axes("input '" + c.name(3) + "'", axes, c.rank(0)))
      return false;
  }
  int64_t count = 2 * axes.size();
  std::optional<Shape> pads = c.has(1) ? c.integers(1) : c.list(c.version < 2 ? "paddings" : "pads", {});
  if (c.has(1) ? !isList(c, 1, count) : static_cast<int64_t>(pads->size()) != count)
    return c.failToFit("pads", shapeText(pads ? *pads : c.shape(1)),
                       "two sizes for each of " + Twine(axes.size()) + " dimensions");
  if (pads)
    pads = padsOfAll(c.rank(0), axes, *pads);
  if (c.has(2) && !c.isScalar(2, "value"))
    return false;
  if (!pads)
    return c.outputDeclared(0, c.rank(0));
  if (!padFits(c, *pads, c.text("mode", "constant")))
    return false;
  Shape shape = c.shape(0);
  for (int64_t d = 0; d < c.rank(0); ++d)
    if ((shape[d] += (*pads)[d] + (*pads)[c.rank(0) + d]) < 0)
      return c.fail("pads dimension " + Twine(d) + " of size " + Twine(c.shape(0)[d]) +
                    " to a negative size; expected at least 0");
  return c.output(0, shape);
}

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
  if (!isList(c, 1, count))
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

bool blockOf(C &c, int64_t &block) {
  block = c.integer("blocksize", 0);
  return c.rankIs(0, 4) && c.atLeast("blocksize", 1, 0) &&
         (block <= (1 << 15) || c.failAttribute("blocksize", Twine(block), "at most 2^15"));
}

bool depthToSpace(C &c) {
  int64_t block = 0;
  if (!c.oneOf("mode", "DCR", {"DCR", "CRD"}) || !blockOf(c, block))
    return false;
  const Shape &x = c.shape(0);
  if (x[1] % (block * block))
    return c.failToFit("blocksize", Twine(block),
                       "one whose square divides the " + Twine(x[1]) + " channels");
  return c.output(0, {x[0], x[1] / (block * block), x[2] * block, x[3] * block});
}

bool spaceToDepth(C &c) {
  int64_t block = 0;
  if (!c.oneOf("mode", "DCR", {"DCR", "CRD"}) || !blockOf(c, block))
    return false;
  const Shape &x = c.shape(0);
  if (x[2] % block || x[3] % block)
    return c.failToFit("blocksize", Twine(block), "a divisor of height and width of shape " + shapeText(x));
  return c.output(0, {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

} // namespace

void addMovementChecks(Checks &checks) {
  checks.insert({{"Concat", {1, concat}},
                 {"DepthToSpace", {1, depthToSpace}},
                 {"Pad", {1, pad}},
                 {"Slice", {1, slice}},
                 {"SpaceToDepth", {1, spaceToDepth}},
                 {"Split", {1, split}},
                 {"Tile", {6, tile}},
                 {"Transpose", {1, transpose}}});
}

} // namespace daedalus::onnximport
