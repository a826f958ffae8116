// Convolutions and pools.

#include "../TransposedWindow.h"
#include "NodeCheck.h"

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

bool windowShape(C &c, const Shape &kernel, int64_t channels, Window &window) {
  const Result<Window> read = readWindow(c.node, c.shape(0), kernel);
  if (!read)
    return c.fail(read.error());
  window = *read;
  Shape shape{c.shape(0)[0], channels};
  shape.append(window.output.begin(), window.output.end());
  return c.output(0, shape);
}

std::string fittingWeights(const Shape &x, const std::string &form) {
  if (x.size() < 3)
    return "expected an input of at least 3 dimensions";
  return "expected weights " + form + " of " + std::to_string(x.size()) +
         " dimensions for C = " + std::to_string(x[1]) + " channels, and attribute 'group' to divide C and M";
}

bool convolutionShape(C &c) {
  const int64_t groups = c.integer("group", 1);
  const Shape &x = c.shape(0), &w = c.shape(1);
  if (x.size() < 3 || w.size() != x.size() || groups < 1 || groups > (1 << 24) || x[1] != w[1] * groups ||
      w[0] % groups)
    return c.fail("convolves shape " + shapeText(x) + " with weights of shape " + shapeText(w) + " in " +
                  Twine(groups) + " groups, which do not fit; " + fittingWeights(x, "[M,C / group,...]"));
  Window window;
  return windowShape(c, Shape(w.begin() + 2, w.end()), w[0], window);
}

bool convolution(C &c) {
  return convolutionShape(c) && (!c.has(2) || c.hasShape(2, {c.shape(1)[0]}));
}

bool zeroPoint(C &c, size_t input, int64_t channels) {
  if (!c.has(input) || c.elements(input) == 1)
    return true;
  return c.hasShape(input, {channels});
}

bool convolutionInteger(C &c) {
  return convolutionShape(c) && (!c.has(2) || c.isScalar(2, "zero point")) && zeroPoint(c, 3, c.shape(1)[0]);
}

bool transposedConvolution(C &c) {
  const int64_t groups = c.integer("group", 1);
  const Shape &x = c.shape(0), &w = c.shape(1);
  if (x.size() < 3 || w.size() != x.size() || groups < 1 || groups > (1 << 24) || x[1] != w[0] ||
      w[0] % groups)
    return c.fail("convolves shape " + shapeText(x) + " with transposed weights of shape " + shapeText(w) +
                  " in " + Twine(groups) + " groups, which do not fit; " +
                  fittingWeights(x, "[C,M / group,...]"));
  const Result<TransposedWindow> window = readTransposedWindow(c.node, x, Shape(w.begin() + 2, w.end()));
  if (!window)
    return c.fail(window.error());
  if (c.has(2) && !c.hasShape(2, {w[1] * groups}))
    return false;
  Shape shape{x[0], w[1] * groups};
  shape.append(window->output.begin(), window->output.end());
  return c.output(0, shape);
}

/// A sum over the padding alone is zero; it has no mean, and no extreme.
bool poolShape(C &c, bool isSum = false) {
  if (!c.rankAtLeast(0, 3) || !c.isFlag("ceil_mode"))
    return false;
  Window window;
  if (!windowShape(c, c.list("kernel_shape", {}), c.shape(0)[1], window))
    return false;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t most = (window.kernel[i] - 1) * window.dilations[i];
    if (window.padBegin[i] > most || window.padEnd[i] - window.ceilExtra[i] > most)
      return c.fail("attribute 'pads' has value " + shapeText(c.list("pads", {})) +
                    ", as much as its window; expected every window to cover an element");
  }
  return isSum || c.isNotEmpty(0);
}

bool averagePool(C &c) {
  return c.isFlag("count_include_pad") && poolShape(c);
}

bool maxPool(C &c) {
  return c.isFlag("storage_order") && poolShape(c) && c.output(1, c.outputs[0].shape);
}

bool lpPool(C &c) {
  return c.atLeast("p", 1, 2) && poolShape(c, /*isSum=*/true);
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

bool globalLpPool(C &c) {
  return c.atLeast("p", 1, 2) && globalPool(c);
}

} // namespace

void addWindowChecks(Checks &checks) {
  checks.insert({{"AveragePool", {1, averagePool}},
                 {"Conv", {1, convolution}},
                 {"ConvInteger", {10, convolutionInteger}},
                 {"ConvTranspose", {1, transposedConvolution}},
                 {"GlobalAveragePool", {1, globalPool}},
                 {"GlobalLpPool", {2, globalLpPool}},
                 {"GlobalMaxPool", {1, globalPool}},
                 {"LpPool", {2, lpPool}},
                 {"MaxPool", {1, maxPool}}});
}

} // namespace daedalus::onnximport
