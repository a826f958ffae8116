// See Pool.h.

#include "Pools/Pool.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// Whether every window of a dimension of `size` covers an element of it; with dilations all of them may lie
/// beside it.
bool coversAlong(const Window &window, size_t d, int64_t size) {
  for (int64_t o = 0; o < window.output[d]; ++o) {
    const int64_t first = o * window.strides[d] - window.padBegin[d], step = window.dilations[d];
    const int64_t skipped = first < 0 ? (step - 1 - first) / step : 0;
    if (skipped >= window.kernel[d] || first + skipped * step >= size)
      return false;
  }
  return true;
}

} // namespace

bool poolShape(C &c, bool isSum) {
  if (!c.rankAtLeast(0, 3) || !c.isFlag("ceil_mode"))
    return false;
  Window window;
  if (!c.windowOutput(c.list("kernel_shape", {}), c.shape(0)[1], window))
    return false;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t most = (window.kernel[i] - 1) * window.dilations[i];
    if (window.padBegin[i] > most || window.padEnd[i] - window.ceilExtra[i] > most)
      return c.fail("attribute 'pads' has value " + shapeText(c.list("pads", {})) +
                    ", as much as its window; expected every window to cover an element");
  }
  return isSum || c.isNotEmpty(0);
}

bool globalPool(C &c) {
  if (!c.rankAtLeast(0, 3))
    return false;
  const bool hasImages = c.shape(0)[0] > 0 && c.shape(0)[1] > 0;
  for (int64_t d = 2; hasImages && d < c.rank(0); ++d)
    if (c.shape(0)[d] == 0)
      return c.fail("pools dimension " + Twine(d) + " of shape " + shapeText(c.shape(0)) +
                    "; expected one with elements");
  Shape shape(c.rank(0), 1);
  shape[0] = c.shape(0)[0], shape[1] = c.shape(0)[1];
  return c.output(0, shape);
}

bool covers(const Window &window, const Shape &shape) {
  const int64_t rows = shape.size() == 4 ? shape[2] : 1;
  return coversAlong(window, 0, rows) && coversAlong(window, 1, shape.back());
}

bool isImage(const Shape &shape) {
  return shape.size() == 3 || shape.size() == 4;
}

Shape outputShape(const Shape &input, const Window &window) {
  Shape shape{input[0], input[1]};
  shape.append(window.output);
  return shape;
}

Window poolWindow(K &k) {
  return k.window(intsAttribute(k.node, "kernel_shape", {}));
}

kernels::PoolInputs inputs(K &k, const Window &window, Value padding) {
  Value x = kernels::padded(k, k.in(0), window, padding);
  return {x, kernels::extents(k, window)};
}

} // namespace daedalus::onnximport
