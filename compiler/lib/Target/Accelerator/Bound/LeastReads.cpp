// See LeastReads.h. A run of bytes is one LOAD's or STORE's inner loop. Runs are joined only where their
// bytes follow each other in DRAM and in the scratchpad, so only where they fill whole rows of N bytes (R13,
// R18).

#include "Bound/LeastReads.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// Of `count` runs of `bytes` each, or of one long run of whole rows, to which the memory plan may pad them.
uint64_t beatsOf(uint64_t count, uint64_t bytes, const isa::Machine &machine) {
  return std::min(llvm::divideCeil(count * llvm::alignTo(bytes, machine.n), machine.busBytes),
                  count * llvm::divideCeil(bytes, machine.busBytes));
}

/// Positions of the pixels of one run, `kernel` of them for the output `o`, that are in the dimension.
int64_t inside(int64_t size, int64_t o, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation) {
  int64_t count = 0;
  for (int64_t k = 0; k < kernel; ++k) {
    const int64_t at = o * stride - pad + k * dilation;
    count += at >= 0 && at < size;
  }
  return count;
}

/// Runs of kernel columns side by side, one an output column.
uint64_t foldedBeats(const Kernel &kernel, uint64_t rows, const isa::Machine &machine) {
  const Window &w = kernel.window;
  uint64_t bytes = 0, beats = 0;
  for (int64_t o = 0; o < w.ow; ++o) {
    const uint64_t run = inside(w.w, o, w.sw, w.pl, w.kw, w.dw) * w.c;
    bytes += run, beats += llvm::divideCeil(run, machine.busBytes);
  }
  return (w.kw * w.c) % machine.n == 0 ? llvm::divideCeil(rows * bytes, machine.busBytes) : rows * beats;
}

} // namespace

int64_t positionsRead(int64_t size, int64_t out, int64_t stride, int64_t pad, int64_t kernel,
                      int64_t dilation) {
  std::vector<bool> isRead(size, false);
  for (int64_t o = 0; o < out; ++o)
    for (int64_t k = 0; k < kernel; ++k)
      if (const int64_t at = o * stride - pad + k * dilation; at >= 0 && at < size)
        isRead[at] = true;
  return std::count(isRead.begin(), isRead.end(), true);
}

uint64_t windowBeats(const Kernel &kernel, dae::Fold fold, const isa::Machine &machine) {
  const Window &w = kernel.window;
  uint64_t rows = w.b * positionsRead(w.h, w.oh, w.sh, w.pt, w.kh, w.dh);
  if (fold == dae::Fold::Window) {
    rows = 0;
    for (int64_t o = 0; o < w.oh; ++o)
      rows += w.b * inside(w.h, o, w.sh, w.pt, w.kh, w.dh);
  }
  if (fold != dae::Fold::None)
    return foldedBeats(kernel, rows, machine);
  const uint64_t pixels = rows * positionsRead(w.w, w.ow, w.sw, w.pl, w.kw, w.dw);
  if (kernel.layouts[0] && kernel.layouts[0]->channel != 1)
    return pixels * w.c;
  return beatsOf(pixels, w.c, machine);
}

uint64_t operandBeats(const Kernel &kernel, size_t input, const isa::Machine &machine) {
  const Window &w = kernel.window;
  if (isRow(kernel, input))
    return llvm::divideCeil(w.oc, machine.busBytes);
  if (isWeights(kernel, input))
    return beatsOf(w.b * w.oh * w.oc, w.c, machine);
  const uint64_t pixels = w.b * w.oh * w.ow;
  if (kernel.layouts[input] && kernel.layouts[input]->channel != 1)
    return pixels * w.oc;
  return beatsOf(pixels, w.oc, machine);
}

uint64_t weightBeats(const Kernel &kernel, dae::Fold fold, const isa::Machine &machine) {
  const Reduction r = reductionOf(kernel, fold, machine.n);
  const uint64_t tiles = blocksOf(kernel.window.oc, machine.n) * r.kh * r.kw * r.blocks;
  const uint64_t rows = kernel.diagonal ? 1 : machine.n; // of N bytes; of a diagonal one, a weight a lane
  return llvm::divideCeil(tiles * rows * machine.n, machine.busBytes);
}

uint64_t constantBeats(const Kernel &kernel, const StageConstant &constant, const isa::Machine &machine) {
  constexpr uint64_t table = 256;
  const uint64_t blocks = constant.isUniform() ? 1 : blocksOf(kernel.window.oc, machine.n);
  const uint64_t bytes = constant.isTable() ? table : blocks * machine.n * constant.elementBytes();
  return llvm::divideCeil(bytes, machine.busBytes);
}

uint64_t resultBeats(const Kernel &kernel, const isa::Machine &machine) {
  const Window &w = kernel.window;
  return beatsOf(w.b * w.oh * kernel.repeatH * w.ow * kernel.repeatW, w.oc * kernel.resultBytes(), machine);
}

} // namespace daedalus::accelerator
