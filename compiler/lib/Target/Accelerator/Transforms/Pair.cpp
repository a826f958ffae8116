// Pair: two neighbouring columns of the result of a window with weights are one, of twice the channels, where
// both of their windows fit the lanes of one row. An image of few channels is loaded by runs as short as a
// window is wide, each of which costs a burst; so half of them do. The weights of each column are 0 where
// only the other's window is. Nothing moves: the channels of two columns lie one behind the other.

#include "Transforms/Transforms.h"

#include "Kernels/Select.h"

namespace daedalus::accelerator {
namespace {

bool isPairable(const Kernel &kernel, int64_t n) {
  const Window &w = kernel.window;
  return kernel.isWeighted() && kernel.dense && kernel.groups == 1 && !kernel.blockDiagonal &&
         !kernel.sumsData && kernel.parts.empty() && kernel.repeatH == 1 && kernel.repeatW == 1 && w.kw > 1 &&
         w.dw == 1 && w.ow % 2 == 0 && (w.kw + w.sw) * w.c <= n;
}

/// [2 * oc][kh][kw + sw][c] of [oc][kh][kw][c].
std::vector<int8_t> pairedWeights(const Kernel &kernel) {
  const Window &w = kernel.window;
  const int64_t row = w.kw * w.c, wide = (w.kw + w.sw) * w.c, rows = w.oc * w.kh;
  std::vector<int8_t> result(2 * rows * wide, 0);
  for (int64_t column = 0; column < 2; ++column)
    for (int64_t k = 0; k < rows; ++k)
      std::copy_n(kernel.weights.begin() + k * row, row,
                  result.begin() + (column * rows + k) * wide + column * w.sw * w.c);
  return result;
}

std::vector<Excess> pairedExcess(const Kernel &kernel) {
  const Window &w = kernel.window;
  const int64_t row = w.kw * w.c, wide = (w.kw + w.sw) * w.c, rows = w.oc * w.kh;
  std::vector<Excess> result;
  for (int64_t column = 0; column < 2; ++column)
    for (const Excess &each : kernel.excess)
      result.push_back({(column * rows + each.at / row) * wide + column * w.sw * w.c + each.at % row,
                        each.rest, each.layer});
  return result;
}

} // namespace

std::optional<Kernel> pairedColumns(const Kernel &kernel, int64_t n) {
  if (!isPairable(kernel, n))
    return std::nullopt;
  Kernel pair = kernel;
  pair.weights = pairedWeights(kernel);
  Window &w = pair.window;
  w.kw += w.sw, w.sw *= 2, w.ow /= 2, w.oc *= 2;
  for (std::vector<int64_t> &values : pair.tail.channels) {
    const std::vector<int64_t> ofOne = values;
    values.insert(values.end(), ofOne.begin(), ofOne.end());
  }
  pair.excess = pairedExcess(kernel);
  countExcess(pair, n);
  return selectStages(pair) ? std::optional(std::move(pair)) : std::nullopt;
}

} // namespace daedalus::accelerator
