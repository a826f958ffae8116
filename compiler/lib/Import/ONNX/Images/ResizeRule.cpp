// See ResizeRule.h.

#include "Images/ResizeRule.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool modesFit(C &c) {
  const bool hasSymmetry = c.version >= 19;
  if (!c.oneOf("mode", "nearest", {"nearest", "linear", "cubic"}) ||
      !c.oneOf("nearest_mode", "round_prefer_floor",
               {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) ||
      !c.oneOf("keep_aspect_ratio_policy", "stretch", {"stretch", "not_larger", "not_smaller"}) ||
      !c.isFlag("exclude_outside") || !c.isFlag("antialias"))
    return false;
  const bool isKnown = hasSymmetry
                           ? c.oneOf("coordinate_transformation_mode", "half_pixel",
                                     {"half_pixel", "half_pixel_symmetric", "asymmetric", "align_corners",
                                      "pytorch_half_pixel", "tf_half_pixel_for_nn", "tf_crop_and_resize"})
                           : c.oneOf("coordinate_transformation_mode", "half_pixel",
                                     {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel",
                                      "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  if (!isKnown)
    return false;
  for (Text key : {"exclude_outside", "antialias"})
    if (c.text("mode", "nearest") == "nearest" && c.integer(key, 0))
      return c.failAttribute(key, "1", "0 in mode 'nearest'");
  return true;
}

bool scaleFits(C &c, int64_t d, double scale, int64_t size, int64_t result) {
  return (scale > 0 && result >= (size > 0) && result <= int64_t(1) << 31) ||
         c.fail("gives dimension " + Twine(d) + " of size " + Twine(size) + " the scale " +
                std::to_string(scale) + "; expected a result from 1 to 2^31");
}

/// The size of a dimension by a scale; of what no shape can have -1.
int64_t scaled(int64_t size, double scale, double up) {
  const double result = std::floor(double(float(size)) * scale + up);
  return result >= 0 && result <= 4294967296.0 ? int64_t(result) : -1;
}

bool byScales(C &c, const Shape &axes, llvm::ArrayRef<float> scales) {
  Shape shape = c.shape(0);
  for (auto [axis, scale] : llvm::zip(axes, scales)) {
    shape[axis] = scaled(shape[axis], scale, 0);
    if (!scaleFits(c, axis, scale, c.shape(0)[axis], shape[axis]))
      return false;
  }
  return c.output(0, shape);
}

bool bySizes(C &c, const Shape &axes, const Shape &sizes) {
  const std::string policy = c.text("keep_aspect_ratio_policy", "stretch");
  Shape shape = c.shape(0);
  double common = 0;
  for (auto [axis, size] : llvm::zip(axes, sizes)) {
    if (size < (shape[axis] > 0) || size > int64_t(1) << 31)
      return c.fail("gives dimension " + Twine(axis) + " of size " + Twine(shape[axis]) + " the size " +
                    Twine(size) + "; expected a result from 1 to 2^31");
    const double scale = shape[axis] ? double(size) / double(shape[axis]) : common;
    common = common == 0 ? scale : policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
    shape[axis] = size;
  }
  for (int64_t axis : axes)
    if (policy != "stretch") {
      shape[axis] = scaled(c.shape(0)[axis], common, 0.5);
      if (!scaleFits(c, axis, common, c.shape(0)[axis], shape[axis]))
        return false;
    }
  return c.output(0, shape);
}

} // namespace

bool resize(C &c) {
  if (!modesFit(c))
    return false;
  Shape axes;
  if (!c.axesOrAll(axes))
    return false;
  const auto given = [&](size_t input) { return c.has(input) && c.elements(input) > 0; };
  if (given(2) == given(3))
    return c.fail(given(2) ? "has both scales and sizes; expected one of them"
                           : "has neither scales nor sizes; expected one of them");
  const int64_t count = axes.size();
  if (!c.hasShape(given(2) ? 2 : 3, {count}, c.attribute("axes") ? ", one for each of attribute 'axes'" : ""))
    return false;
  if (given(2) && c.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    return c.failAttribute("keep_aspect_ratio_policy", "'" + c.text("keep_aspect_ratio_policy", "") + "'",
                           "stretch where scales are given");
  if (c.text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize" &&
      (!c.has(1) || !c.hasShape(1, {2 * count})))
    return c.has(1) ? false
                    : c.fail("takes a part of its input (tf_crop_and_resize) that input 'roi' does not say; "
                             "expected starts and ends");
  const HostTensor *values = c.constant(given(2) ? 2 : 3);
  if (!values)
    return c.outputDeclared(0, c.rank(0)) && c.isNotEmpty(0);
  return (given(2) ? byScales(c, axes, values->floats) : bySizes(c, axes, *c.integers(3))) && c.isNotEmpty(0);
}

bool upsample(C &c) {
  if (!c.oneOf("mode", "nearest", {"nearest", "linear"}))
    return false;
  Shape axes(c.rank(0));
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<float> scales;
  if (c.version < 9) {
    const auto &given = c.attribute("scales")->floats();
    scales.assign(given.begin(), given.end());
    if (scales.size() != axes.size())
      return c.fail("attribute 'scales' holds " + Twine(scales.size()) + " numbers; expected " +
                    Twine(axes.size()));
  } else {
    if (!c.hasShape(1, {c.rank(0)}))
      return false;
    if (!c.constant(1))
      return c.outputDeclared(0, c.rank(0)) && c.isNotEmpty(0);
    scales = c.constant(1)->floats;
  }
  return byScales(c, axes, scales) && c.isNotEmpty(0);
}

} // namespace daedalus::onnximport
