// Operators on images: samples at coordinates, parts, blocks, norms of windows; and sequences turned around.

#include "../Blocks.h"
#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool gridSample(C &c) {
  const bool hasModes = c.version >= 20 ? c.oneOf("mode", "linear", {"linear", "nearest", "cubic"})
                                        : c.oneOf("mode", "bilinear", {"bilinear", "nearest", "bicubic"});
  if (!hasModes || !c.oneOf("padding_mode", "zeros", {"zeros", "border", "reflection"}) ||
      !c.isFlag("align_corners") || !c.rankAtLeast(0, 3) || !c.rankIs(1, c.rank(0)))
    return false;
  const int64_t rank = c.rank(0) - 2;
  if (c.version < 20 && rank != 2)
    return c.rankIs(0, 4);
  if (rank > (c.text("mode", "") == "cubic" ? 2 : 3))
    return c.fail("samples images of " + Twine(rank) + " dimensions; expected at most 3, in mode 'cubic' 2");
  if (c.shape(1)[0] != c.shape(0)[0] || c.shape(1).back() != rank)
    return c.fail("samples shape " + shapeText(c.shape(0)) + " by a grid of shape " + shapeText(c.shape(1)) +
                  "; expected as many batches, and " + Twine(rank) + " coordinates");
  Shape shape{c.shape(0)[0], c.shape(0)[1]};
  shape.append(c.shape(1).begin() + 1, c.shape(1).end() - 1);
  return c.output(0, shape) && c.isNotEmpty(0);
}

bool affineGrid(C &c) {
  if (!c.isFlag("align_corners") || !c.rankIs(0, 3))
    return false;
  const int64_t rank = c.shape(0)[1];
  if (rank < 2 || rank > 3 || c.shape(0)[2] != rank + 1)
    return c.fail("input '" + c.name(0) + "' has shape " + shapeText(c.shape(0)) +
                  "; expected [N,2,3] or [N,3,4]");
  if (!c.hasShape(1, {rank + 2}))
    return false;
  const std::optional<Shape> size = c.integers(1);
  if (!size)
    return c.outputDeclared(0, rank + 2);
  Shape shape{c.shape(0)[0]};
  for (int64_t d = 0; d < rank; ++d)
    shape.push_back((*size)[2 + d]);
  shape.push_back(rank);
  if ((*size)[0] != shape[0] || llvm::any_of(shape, [](int64_t d) { return d < 0; }))
    return c.fail("makes a grid of size " + shapeText(*size) + " for " + Twine(shape[0]) +
                  " transformations; expected " + Twine(shape[0]) + " first, and sizes of at least 0");
  return c.output(0, shape);
}

bool centerCropPad(C &c) {
  Shape axes;
  if (!c.axesOrAll(axes))
    return false;
  if (!c.hasShape(1, {static_cast<int64_t>(axes.size())},
                  c.attribute("axes") ? ", one for each of attribute 'axes'" : ""))
    return false;
  const std::optional<Shape> sizes = c.integers(1);
  Shape shape = c.shape(0);
  if (!sizes) {
    for (int64_t axis : axes)
      shape[axis] = -1;
    return c.outputDeclaredAs(0, shape);
  }
  for (auto [axis, size] : llvm::zip(axes, *sizes)) {
    if (size < 0 || size > int64_t(1) << 31)
      return c.fail("crops or pads to " + shapeText(*sizes) + "; expected sizes from 0 to 2^31");
    shape[axis] = size;
  }
  return c.output(0, shape);
}

bool col2Im(C &c) {
  const std::optional<Shape> image = c.integers(1), block = c.integers(2);
  if (!c.rankIs(0, 3) || !c.isVector(1) || !c.isVector(2))
    return false;
  if (!image || !block)
    return c.fail("shapes '" + c.name(image ? 2 : 1) + "' come at run time; expected constant ones");
  const Result<Blocks> blocks = readBlocks(c.node, *image, *block);
  if (!blocks)
    return c.fail(blocks.error());
  const auto count = [](const Shape &shape) { return elementCount({shape.begin(), shape.end()}); };
  const int64_t each = count(*block), channels = c.shape(0)[1] / std::max<int64_t>(each, 1);
  if (!c.hasShape(0, {c.shape(0)[0], channels * each, count(blocks->counts)}))
    return false;
  Shape shape{c.shape(0)[0], channels};
  shape.append(image->begin(), image->end());
  return c.output(0, shape);
}

bool reverseSequence(C &c) {
  const int64_t batch = c.integer("batch_axis", 1), time = c.integer("time_axis", 0);
  if (!c.rankAtLeast(0, 2))
    return false;
  if (batch < 0 || batch > 1 || time != 1 - batch)
    return c.fail("attributes 'batch_axis' and 'time_axis' have values " + Twine(batch) + " and " +
                  Twine(time) + "; expected 0 and 1, or 1 and 0");
  if (!c.hasShape(1, {c.shape(0)[batch]}))
    return false;
  if (const HostTensor *lengths = c.constant(1))
    for (int64_t length : lengths->ints)
      if (length < 0 || length > c.shape(0)[time])
        return c.fail("lengths '" + c.name(1) + "' hold " + Twine(length) + "; expected 0 to " +
                      Twine(c.shape(0)[time]));
  return c.like(0);
}

} // namespace

void addImageChecks(Checks &checks) {
  checks.insert({{"AffineGrid", {20, affineGrid}},
                 {"CenterCropPad", {18, centerCropPad}},
                 {"Col2Im", {18, col2Im}},
                 {"GridSample", {16, gridSample}},
                 {"ReverseSequence", {10, reverseSequence}}});
}

} // namespace daedalus::onnximport
