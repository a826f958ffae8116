// Diagonal weights: a product whose channels fall into groups, on an array of N x N lanes that knows none.
// Groups that fill blocks of N evenly are block diagonal: a block of outputs reads the block of inputs of the
// same number, with zeros between the groups. All others become one dense product with zeros.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {

/// [oc][kh][kw][lanes] of [oc][kh][kw][c / groups].
static std::vector<int8_t> spread(const Kernel &kernel, const std::vector<int8_t> &grouped, int64_t lanes) {
  const Window &w = kernel.window;
  const int64_t in = w.c / kernel.groups, out = w.oc / kernel.groups, positions = w.kh * w.kw;
  std::vector<int8_t> weights(w.oc * positions * lanes, 0);
  for (int64_t o = 0; o < w.oc; ++o)
    for (int64_t p = 0; p < positions; ++p)
      for (int64_t i = 0; i < in; ++i)
        weights[(o * positions + p) * lanes + (o / out * in + i) % lanes] =
            grouped[(o * positions + p) * in + i];
  return weights;
}

static void spreadExcess(Kernel &kernel, int64_t lanes) {
  const Window &w = kernel.window;
  const int64_t in = w.c / kernel.groups, out = w.oc / kernel.groups, positions = w.kh * w.kw;
  for (Excess &each : kernel.excess)
    each.at = each.at / in * lanes + (each.at / in / positions / out * in + each.at % in) % lanes;
}

void diagonalWeights(Kernel &kernel, int64_t n) {
  const Window &w = kernel.window;
  if (!kernel.isWeighted() || kernel.groups == 1)
    return;
  const int64_t in = w.c / kernel.groups, out = w.oc / kernel.groups;
  kernel.blockDiagonal = in == out && n % in == 0;
  kernel.diagonal = in == 1 && out == 1;
  kernel.lanes = kernel.diagonal ? n : 0;
  kernel.denseGroups = kernel.blockDiagonal ? 1 : kernel.groups;
  const int64_t lanes = kernel.blockDiagonal ? n : w.c;
  kernel.weights = spread(kernel, kernel.weights, lanes);
  spreadExcess(kernel, lanes);
  kernel.groups = 1;
}

} // namespace daedalus::accelerator
