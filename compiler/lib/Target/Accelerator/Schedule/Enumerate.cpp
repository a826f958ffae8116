// All schedules of a kernel that fit.

#include "Transforms/Transforms.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

namespace daedalus::accelerator {
namespace {

using llvm::divideCeil;

/// A schedule and what the closed form says of it.
struct RankedSchedule {
  double cycles;
  Schedule schedule;
};

/// Distinct tile sizes that split `size` evenly, thinned to steps of an eighth.
std::vector<int64_t> tileSizes(int64_t size) {
  std::vector<int64_t> sizes{size};
  for (int64_t parts = 2; sizes.back() > 1; parts = std::max(parts + 1, parts * 17 / 16)) {
    int64_t next = divideCeil(size, std::min(parts, size));
    if (next < sizes.back() && (next * 8 <= sizes.back() * 7 || next <= 8))
      sizes.push_back(next);
  }
  return sizes;
}

/// Everything that fits, tile by tile.
class Enumeration {
public:
  Enumeration(const Kernel &kernel, const isa::Machine &machine) : kernel(kernel), machine(machine) {
    const Window &w = kernel.window;
    if (!readsOwnChannels(kernel) && kernel.dense && w.c % machine.n && w.kw > 1 && w.dw == 1)
      folds = {dae::Fold::None, dae::Fold::Width, dae::Fold::Window};
    if (kernel.isWeighted() && (!kernel.weightsInput || w.b * w.oh == 1))
      orders.push_back(dae::Order::Channels);
    if (kernel.diagonal)
      shares = {0, 4, 5, 6, 7, 8, 11, 16}, sharesBesideSlide = {0, 1, 2, 3, 4};
  }

  std::vector<RankedSchedule> run() {
    const Window &w = kernel.window;
    const std::vector<int64_t> rows = kernel.weightsInput ? std::vector<int64_t>{1} : tileSizes(w.oh),
                               cols = tileSizes(w.ow), channels = tileSizes(blocksOf(w.oc, machine.n));
    for (dae::Fold fold : folds)
      for (int64_t oc : channels)
        for (int64_t oh : rows)
          for (int64_t ow : cols) {
            Schedule s;
            s.oh = oh, s.ow = ow, s.oc = oc, s.fold = fold;
            splitReductions(s);
          }
    return std::move(all);
  }

  std::string reason; ///< of the last that did not fit

private:
  /// Kernel positions and input lanes are split only where they have to be: each split costs a pass over ACC.
  /// Where inputs are summed, all lanes are one step: else the sums of a step, which wait for VECTOR, stand
  /// in front of the products of the next.
  void splitReductions(Schedule s) {
    const Reduction r = reductionOf(kernel, s.fold, machine.n);
    std::vector<int64_t> lanes{1};
    if (kernel.isWeighted())
      lanes = s.fold == dae::Fold::None ? tileSizes(r.blocks) : std::vector<int64_t>{r.blocks};
    bool any = false;
    for (int64_t kh : tileSizes(r.kh))
      for (int64_t kw : tileSizes(r.kw)) {
        for (int64_t ic : lanes) {
          s.kh = kh, s.kw = kw, s.ic = ic;
          any |= add(s) | addSlide(s);
          if (any && kernel.reducedTemporaries() > 1)
            break;
        }
        if (any)
          return;
      }
  }

  /// With the window that takes the fewest cycles, where it takes fewer than products with diagonal tiles.
  bool addSlide(Schedule s) {
    s.slide = bestSlide(kernel, s, machine);
    return s.slide && add(s);
  }

  bool add(Schedule s) {
    if (Result<void> good = fits(kernel, s, machine); !good) {
      reason = good.error();
      return false;
    }
    const TileCounts tiles = tileCounts(kernel, s, machine);
    for (dae::Order order : orders)
      for (int64_t vector : s.slide ? sharesBesideSlide : shares) {
        if (order != dae::Order::Pixels && (tiles.channels == 1 || tiles.pixels == 1))
          continue; // the same tiles in the same order
        s.order = order, s.vector = vector;
        if (!vector || fits(kernel, s, machine))
          all.push_back({estimateCycles(kernel, s, machine), s});
      }
    return true;
  }

  const Kernel &kernel;
  const isa::Machine &machine;
  std::vector<dae::Fold> folds{dae::Fold::None};
  std::vector<dae::Order> orders{dae::Order::Pixels};
  std::vector<int64_t> shares{0}, sharesBesideSlide{0};
  std::vector<RankedSchedule> all;
};

} // namespace

RankedSchedules::RankedSchedules(llvm::ArrayRef<Schedule> schedules) {
  std::vector<Packed> packed;
  packed.reserve(schedules.size());
  for (const Schedule &s : schedules)
    packed.push_back({int32_t(s.oh), int32_t(s.ow), int32_t(s.oc), int32_t(s.kh), int32_t(s.kw),
                      int32_t(s.ic), uint8_t(s.fold), uint8_t(s.order), uint8_t(s.vector), s.ramp,
                      uint8_t(s.slide), s.handsOver});
  all = std::make_shared<const std::vector<Packed>>(std::move(packed));
}

Schedule RankedSchedules::operator[](size_t place) const {
  const Packed &p = (*all)[place];
  return {p.oh,
          p.ow,
          p.oc,
          p.kh,
          p.kw,
          p.ic,
          dae::Fold(p.fold),
          dae::Order(p.order),
          p.vector,
          bool(p.ramp),
          p.slide,
          bool(p.handsOver)};
}

Result<RankedSchedules> rankSchedules(const Kernel &kernel, const isa::Machine &machine) {
  Enumeration enumeration(kernel, machine);
  std::vector<RankedSchedule> all = enumeration.run();
  if (all.empty() && !enumeration.reason.empty())
    return error(enumeration.reason);
  double fewest = std::numeric_limits<double>::max();
  llvm::erase_if(all, [&](const RankedSchedule &ranked) {
    const double instructions = estimateInstructions(kernel, ranked.schedule, machine);
    fewest = std::min(fewest, instructions);
    return instructions > MostInstructions;
  });
  if (all.empty())
    return error(fitStream(fewest).error());
  llvm::stable_sort(all,
                    [](const RankedSchedule &a, const RankedSchedule &b) { return a.cycles < b.cycles; });
  std::vector<Schedule> schedules;
  for (const RankedSchedule &ranked : all)
    schedules.push_back(ranked.schedule);
  return RankedSchedules(schedules);
}

} // namespace daedalus::accelerator
