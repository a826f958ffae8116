// Slide: GEMM's window moves along the columns of a product lane by lane, so that a lane multiplies N taps of
// its own channel in a cycle. What of the kernel is larger than the window is passes, each with a tile of
// WGT. Rows of the window lie an odd number of rows of INP apart, in different memories (docs/isa.md).

#include "Transforms/Transforms.h"

#include "daedalus/isa/field_limits.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace daedalus::accelerator {
namespace {

constexpr int64_t MostStep = isa::maximumOf<isa::Gemm>("step"),
                  MostColumns = isa::maximumOf<isa::Gemm>("lead") + 1,
                  MostLine = isa::maximumOf<isa::Gemm>("line");

/// `taps` covered by passes of equal size and distance.
struct Passes {
  int64_t size, count, shift;
};

/// The fewest passes of at most `most` taps.
Passes passesOf(int64_t taps, int64_t most) {
  for (int64_t count = llvm::divideCeil(taps, most); count > 1; ++count)
    for (int64_t size = llvm::divideCeil(taps, count); size <= most; ++size)
      if (const int64_t rest = taps - size; rest % (count - 1) == 0 && rest <= size * (count - 1))
        return {size, count, rest / (count - 1)};
  return {taps, 1, 0};
}

/// Along one dimension: input positions from one of the tile to the next, which are a result's and a tap's
/// stride in them.
struct Positions {
  int64_t step, stride, gap;

  Positions(int64_t kernel, int64_t stride, int64_t dilation)
      : step(kernel > 1 ? std::gcd(stride, dilation) : stride), stride(stride / step),
        gap(kernel > 1 ? dilation / step : 1) {}
};

} // namespace

int64_t Slide::cycles(int64_t results) const {
  const int64_t alone = columns * results;
  return passes() * (step > MostStep ? alone : std::min(alone, columns + step * (results - 1)));
}

std::optional<Slide> slideOf(const Kernel &kernel, const Schedule &s) {
  const Window &w = kernel.window;
  if (!kernel.diagonal || s.slide < 1 || s.slide > std::min(w.kh, kernel.lanes))
    return std::nullopt;
  const Positions rows(w.kh, w.sh, w.dh), columns(w.kw, w.sw, w.dw);
  const int64_t chain = kernel.lanes / s.slide;
  const Passes ofRows = passesOf(w.kh, s.slide),
               ofColumns = passesOf((w.kw - 1) * columns.gap + 1, std::min(chain, MostColumns));
  if (ofRows.size != s.slide || (s.slide > 1 && rows.gap % 2 == 0))
    return std::nullopt;
  return Slide{ofRows.size,     ofColumns.size, ofRows.count, ofColumns.count, ofRows.shift,
               ofColumns.shift, rows.step,      columns.step, rows.stride,     columns.stride,
               rows.gap,        columns.gap,    chain};
}

TileShape slideTile(const Kernel &kernel, const Schedule &tile) {
  const Window &w = kernel.window;
  const Positions rows(w.kh, w.sh, w.dh), columns(w.kw, w.sw, w.dw);
  const auto count = [](const Positions &p, int64_t out, int64_t kernelSize) {
    return (out - 1) * p.stride + (kernelSize - 1) * p.gap + 1;
  };
  const int64_t across = count(columns, tile.ow, w.kw), pitch = across * tile.oc;
  return {count(rows, tile.oh, w.kh),        rows.step, across, columns.step, tile.oc,
          tile.slide > 1 ? pitch | 1 : pitch};
}

int64_t bestSlide(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine) {
  const Window &w = kernel.window;
  Schedule s = schedule;
  int64_t best = 0, fewest = w.kh * w.kw * s.ow;
  for (s.slide = 1; s.slide <= int64_t(machine.inpInterleave); ++s.slide)
    if (const std::optional<Slide> slide = slideOf(kernel, s);
        slide && slide->cycles(s.ow) < fewest && slideFits(kernel, s, machine))
      best = s.slide, fewest = slide->cycles(s.ow);
  return best;
}

Result<void> slideFits(const Kernel &kernel, const Schedule &s, const isa::Machine &machine) {
  if (!s.slide)
    return {};
  const Window &w = kernel.window;
  const auto wrong = [&](const std::string &why) {
    return error("its schedule slides a window of " + std::to_string(s.slide) + " rows" + why);
  };
  if (!kernel.diagonal)
    return wrong(", but its channels do not stay apart");
  if (s.slide > int64_t(machine.inpInterleave))
    return wrong(", machine " + machine.name +
                 " has inp_interleave = " + std::to_string(machine.inpInterleave));
  if (s.kh != w.kh || s.kw != w.kw)
    return wrong(" over " + std::to_string(s.kh) + " x " + std::to_string(s.kw) +
                 " kernel positions; expected all " + std::to_string(w.kh) + " x " + std::to_string(w.kw));
  const std::optional<Slide> slide = slideOf(kernel, s);
  if (!slide || slide->rowGap * slideTile(kernel, s).pitch > MostLine)
    return wrong(", which do not cover the " + std::to_string(w.kh) +
                 " rows of its kernel evenly or lie an even number of rows apart");
  return {};
}

} // namespace daedalus::accelerator
