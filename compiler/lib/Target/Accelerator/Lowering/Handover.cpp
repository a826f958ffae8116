// See Handover.h.

#include "Lowering/Handover.h"

#include "Kernels/Stages.h"
#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// The part of [begin, begin + count) that lies in [0, size).
Range within(int64_t begin, int64_t count, int64_t size) {
  const int64_t first = std::clamp<int64_t>(begin, 0, size),
                end = std::clamp<int64_t>(begin + count, 0, size);
  return {first, end - first};
}

Window reshaped(Window w, int64_t b, int64_t h, int64_t width) {
  w.b = b, w.h = w.oh = h, w.w = w.ow = width;
  return w;
}

bool makesTiles(const Kernel &kernel) {
  return kernel.isWeighted() && !kernel.weightsInput && kernel.resultBytes() == 1 && kernel.repeatH == 1 &&
         kernel.repeatW == 1 && !kernel.isPaired;
}

bool takesTiles(const Kernel &kernel) {
  return kernel.isWeighted() && !kernel.weightsInput && !kernel.layouts[0] && !kernel.isPaired;
}

/// Whether a window of the schedule's tiles, or of the smaller ones at the border, has pixels between its
/// own.
bool skipsPixels(const Kernel &kernel, const Schedule &s) {
  Schedule border = s;
  border.oh = (kernel.window.oh - 1) % s.oh + 1, border.ow = (kernel.window.ow - 1) % s.ow + 1;
  const auto skips = [&](const Schedule &tile) {
    const TileShape shape = inputTile(kernel, tile);
    return (shape.rows > 1 && shape.rowStep != 1) || (shape.cols > 1 && shape.colStep != 1);
  };
  return skips(s) || skips(border);
}

/// Cycles of GEMM for a tile of these sizes in one step.
int64_t productCycles(const Kernel &kernel, const Schedule &s) {
  if (const std::optional<Slide> slide = slideOf(kernel, s))
    return s.oh * s.oc * slide->cycles(s.ow);
  return s.oh * s.ow * s.oc * s.kh * s.kw * s.ic;
}

int64_t stageCycles(const Kernel &kernel) {
  int64_t cycles = 0;
  for (const Stage &stage : kernel.stages)
    cycles += cyclesPerRow(stage);
  return cycles;
}

} // namespace

HandedWindow handedWindowOf(const Kernel &kernel, const Schedule &sizes, const Tile &t, const Step &step) {
  const Window &w = kernel.window;
  HandedWindow window{inputTile(kernel, sizes),
                      t.oh.begin * w.sh - w.pt + step.kh.begin * w.dh,
                      t.ow.begin * w.sw - w.pl + step.kw.begin * w.dw,
                      {}};
  window.inside = {t.batch, within(window.y, window.shape.rows, w.h),
                   within(window.x, window.shape.cols, w.w), readsOwnChannels(kernel) ? t.oc : step.ic};
  return window;
}

std::optional<HandoverWindows> handoverWindows(const KernelCall &from, const KernelCall &to) {
  if (!from.hasOneReader || !makesTiles(from.kernel) || !takesTiles(to.kernel))
    return std::nullopt;
  const Slot &made = from.output, &read = to.inputs[0];
  if (llvm::any_of(llvm::drop_begin(to.inputs), [&](const Slot &s) { return s.root() == made.root(); }))
    return std::nullopt;
  if (made.root() != read.root() || made.offset != read.offset || isPart(made) || isPart(read))
    return std::nullopt;
  const Window &f = from.kernel.window, &t = to.kernel.window;
  if (f.oc != t.c || f.b * f.oh * f.ow != t.b * t.h * t.w)
    return std::nullopt;
  if (f.b == t.b && f.oh == t.h && f.ow == t.w)
    return HandoverWindows{f, t};
  if (isPixelwise(f))
    return HandoverWindows{reshaped(f, t.b, t.h, t.w), t};
  if (isPixelwise(t))
    return HandoverWindows{f, reshaped(t, f.b, f.oh, f.ow)};
  return std::nullopt;
}

bool shapeForHandover(KernelCall &from, KernelCall &to) {
  const std::optional<HandoverWindows> windows = handoverWindows(from, to);
  if (!windows)
    return false;
  for (auto [call, window] : {std::pair(&from, windows->from), std::pair(&to, windows->to)}) {
    if (!call->flat)
      call->flat = call->kernel.window;
    call->kernel.window = window;
  }
  return true;
}

void exchangeWindows(std::vector<KernelCall> &calls) {
  for (KernelCall &call : calls)
    if (call.flat)
      std::swap(*call.flat, call.kernel.window);
}

Result<Schedule> handoverSchedule(const Kernel &from, const Kernel &to, const Schedule &s,
                                  const isa::Machine &machine) {
  const Window &w = to.window;
  const TileShape shape = inputTile(to, s);
  const bool own = readsOwnChannels(to);
  if (s.fold != dae::Fold::None || s.ramp || s.kh != w.kh || s.kw != w.kw)
    return error("the next kernel's tiles fold or divide its window, or begin with a ramp");
  if (s.vector && s.slide)
    return error("the next kernel's tiles have windows that slide, and others for VECTOR");
  if (skipsPixels(to, s))
    return error("the next kernel's tiles skip pixels of it");
  if (!own && s.oc < blocksOf(w.oc, machine.n))
    return error("the next kernel reads it several times, for " + std::to_string(s.oc) + " of " +
                 std::to_string(blocksOf(w.oc, machine.n)) + " blocks of channels at a time");
  Schedule made;
  made.oh = std::min(shape.rows, from.window.oh), made.ow = std::min(shape.cols, from.window.ow);
  made.oc = shape.blocks;
  made.handsOver = true;
  std::string reason;
  std::optional<Schedule> best;
  int64_t fewest = 0;
  for (dae::Fold fold : {dae::Fold::None, dae::Fold::Width, dae::Fold::Window}) {
    const Reduction r = reductionOf(from, fold, machine.n);
    made.fold = fold, made.kh = r.kh, made.kw = r.kw, made.ic = r.blocks, made.slide = 0;
    if (from.diagonal && fold == dae::Fold::None)
      made.slide = bestSlide(from, made, machine);
    const Result<void> good = fits(from, made, machine);
    const int64_t cycles = productCycles(from, made);
    if (!good)
      reason = good.error();
    else if (!best || cycles < fewest)
      best = made, fewest = cycles;
  }
  return best ? Result<Schedule>(*best) : error(reason);
}

double estimateHandover(const Kernel &from, const Kernel &to, const Schedule &ofFrom, const Schedule &ofTo,
                        const isa::Machine &machine) {
  const TileCounts counts = tileCounts(to, ofTo, machine);
  const double tiles = counts.pixels * counts.channels, steps = tiles * counts.reductions;
  const int64_t made = ofFrom.oh * ofFrom.ow * ofFrom.oc, rows = ofTo.oh * ofTo.ow * ofTo.oc;
  const double gemm =
                   steps * (productCycles(from, ofFrom) + productCycles(to, ofTo) + 2 * machine.gemmLatency),
               vector = steps * (made * stageCycles(from) + machine.vectorLatency) +
                        tiles * (rows * stageCycles(to) + machine.vectorLatency);
  const double beats = double(machine.n) / machine.busBytes;
  const bool staysInInp = !readsOwnChannels(from) && inputsStay(from, ofFrom, machine);
  double load = inputTile(from, ofFrom).size() * beats * (staysInInp ? counts.pixels : steps);
  for (const auto &[kernel, s] : {std::pair(&from, &ofFrom), std::pair(&to, &ofTo)}) {
    const int64_t weights = s->oc * weightTiles(*kernel, *s) * machine.n;
    load +=
        beats * weights * (weightsStay(*kernel, *s, machine) ? counts.channels * counts.reductions : steps);
    if (!kernel->isUniform())
      load += beats * steps * s->oc * machine.n;
  }
  return std::max({gemm, vector, load, tiles * rows * beats});
}

} // namespace daedalus::accelerator
