// Fold: kernel positions become input lanes. An input of few channels fills few of N lanes; kernel columns
// lie side by side in DRAM, so one run brings columns times channels as lanes (`columns`), and the rows of
// the window behind each other fill still more of them (`window`). The weights [oc][kh][kw][c] are
// [oc][position][lane] then as they are.

#include "Transforms/Transforms.h"

#include "llvm/ADT/Twine.h"

#include <utility>

namespace daedalus::accelerator {

Reduction reductionOf(const Kernel &kernel, dae::Fold fold, int64_t n) {
  const Window &w = kernel.window;
  Reduction r{w.kh, w.kw, kernel.blockDiagonal ? n : w.c, 0};
  if (fold != dae::Fold::None)
    r.lanes *= std::exchange(r.kw, 1);
  if (fold == dae::Fold::Window)
    r.lanes *= std::exchange(r.kh, 1);
  r.blocks = blocksOf(r.lanes, n);
  return r;
}

/// Folded positions are one run in DRAM, and lanes that are not loaded whole have no place of their own.
Result<void> foldFits(const Kernel &kernel, const Schedule &s, int64_t n) {
  if (s.fold == dae::Fold::None)
    return {};
  if (readsOwnChannels(kernel) || !kernel.dense || (kernel.window.dw != 1 && kernel.window.kw != 1))
    return error("its schedule folds kernel positions that do not lie side by side");
  int64_t blocks = reductionOf(kernel, s.fold, n).blocks;
  if (s.ic == blocks)
    return {};
  return error("its schedule folds kernel positions and has ic = " + std::to_string(s.ic) + " where all " +
               std::to_string(blocks) + " blocks are needed");
}

} // namespace daedalus::accelerator
