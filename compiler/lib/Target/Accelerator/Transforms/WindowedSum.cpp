// Windowed sum: a sum over windows is a product lane by lane with ones, which GEMM's window computes. And a
// window over a whole image, which is one row of pixels, has its pixels in as many rows as that window covers
// in the fewest cycles.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {
namespace {

bool isSum(const Kernel &kernel) {
  const Window &w = kernel.window;
  return kernel.combiner && !kernel.isWeighted() && kernel.combiner->kind == dae::VectorKind::Add &&
         kernel.parts.empty() && kernel.repeatH == 1 && kernel.repeatW == 1 && w.oc > 1 && w.kh * w.kw > 1;
}

Kernel weightedByOnes(Kernel kernel, int64_t n) {
  const Window &w = kernel.window;
  kernel.combiner->weighted = true;
  kernel.groups = w.oc;
  kernel.weights.assign(w.oc * w.kh * w.kw, 1);
  diagonalWeights(kernel, n);
  return kernel;
}

/// Of GEMM's best window, for a row of results of a block of channels; nothing where there is none.
std::optional<int64_t> slideCycles(const Kernel &kernel, const isa::Machine &machine) {
  Schedule s;
  s.ow = kernel.window.ow, s.kh = kernel.window.kh, s.kw = kernel.window.kw;
  s.slide = bestSlide(kernel, s, machine);
  return s.slide ? std::optional(slideOf(kernel, s)->cycles(s.ow)) : std::nullopt;
}

/// Whether pixels that are one row lie in several now.
bool splitIntoRows(Kernel &kernel, const isa::Machine &machine) {
  const Window given = kernel.window;
  if (given.h != 1 || given.kh != 1 || given.kw != given.w || given.ow != 1 || given.pl || given.dw != 1 ||
      !isPlain(kernel))
    return false;
  std::optional<int64_t> fewest = slideCycles(kernel, machine);
  Window best = given, &w = kernel.window;
  for (int64_t rows = 2; rows <= given.kw; ++rows) {
    if (given.kw % rows)
      continue;
    w.h = w.kh = rows, w.w = w.kw = given.kw / rows;
    if (const std::optional<int64_t> cycles = slideCycles(kernel, machine);
        cycles && (!fewest || *cycles < *fewest))
      fewest = cycles, best = w;
  }
  w = best;
  return w.h != 1;
}

} // namespace

std::optional<Kernel> windowedSum(const Kernel &kernel, const isa::Machine &machine) {
  if (!isSum(kernel) && !kernel.diagonal)
    return std::nullopt;
  Kernel product = kernel.diagonal ? kernel : weightedByOnes(kernel, machine.n);
  const bool isOther = splitIntoRows(product, machine) || !kernel.diagonal;
  return isOther && slideCycles(product, machine) ? std::optional(std::move(product)) : std::nullopt;
}

} // namespace daedalus::accelerator
