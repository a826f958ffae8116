// Tile sizes of a kernel: what they mean for its buffers, and the closed form that ranks them.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_SCHEDULE_SCHEDULE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_SCHEDULE_SCHEDULE_H

#include "Kernels/Kernel.h"

#include <memory>
#include <tuple>

namespace daedalus::accelerator {

struct Schedule {
  int64_t oh = 1, ow = 1, oc = 1, kh = 1, kw = 1, ic = 1;
  dae::Fold fold = dae::Fold::None;
  dae::Order order = dae::Order::Pixels;
  int64_t vector = 0; ///< sixteenths of the tiles of products lane by lane that VECTOR computes
  bool ramp = false;  ///< the first tile is computed block by block of its channels
  int64_t slide = 0;  ///< rows of the window of GEMM that slides over products lane by lane; 0: none does
  /// What it computes is what the tiles of the next call read, in INP (Handover.h): the sizes are the
  /// largest.
  bool handsOver = false;

  bool operator==(const Schedule &other) const { return all() == other.all(); }
  bool operator<(const Schedule &other) const { return all() < other.all(); }

private:
  std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, dae::Fold, dae::Order, int64_t, bool,
             int64_t, bool>
  all() const {
    return {oh, ow, oc, kh, kw, ic, fold, order, vector, ramp, slide, handsOver};
  }
};

/// The same with diagonal tiles.
inline Schedule withoutSlide(Schedule s) {
  s.slide = 0;
  return s;
}

/// The reduction that is left for loops after kernel positions were folded into input lanes.
struct Reduction {
  int64_t kh, kw; ///< kernel positions
  int64_t lanes;  ///< bytes of one position: channels, times what was folded in
  int64_t blocks; ///< of N lanes
};
Reduction reductionOf(const Kernel &kernel, dae::Fold fold, int64_t n);

/// Input positions along one dimension that `out` outputs of stride `s` and `k` kernel positions of dilation
/// `d` touch: `count` of them, `step` apart.
struct Span1D {
  int64_t count, step;
};
Span1D inputSpan(int64_t out, int64_t s, int64_t k, int64_t d);

/// Rows, columns and N-byte rows a position of an input tile in INP; and N-byte rows from row to row.
struct TileShape {
  int64_t rows, rowStep, cols, colStep, blocks, pitch;

  int64_t size() const { return rows * pitch; } ///< rows of INP
};
TileShape inputTile(const Kernel &kernel, const Schedule &tile);

/// Tiles of WGT of a block of channels in a step.
int64_t weightTiles(const Kernel &kernel, const Schedule &step);

/// A tile of weights: its block of output channels, kernel position and block of lanes; the layer of excess.
struct WeightTile {
  int64_t oc, kh, kw, ic, layer;
};

/// Products with excess of a tile of pixels, and tiles of WGT of all of it: of a window that slides, one
/// product makes all passes over a block.
int64_t excessProducts(const Kernel &kernel, const Schedule &schedule);
int64_t excessTileCount(const Kernel &kernel, const Schedule &schedule);

/// What a half of each scratchpad holds: a tile may use one half while the next one fills the other.
struct Halves {
  Halves(const isa::Machine &machine);
  int64_t inp, wgt, acc, param, out; ///< rows; tiles of WGT; PARAM in rows of N channels
};

/// How many tiles there are along each.
struct TileCounts {
  double pixels, channels, reductions;
};
TileCounts tileCounts(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

int64_t blocksOf(int64_t channels, int64_t n);

/// How many inputs are read as rows of PARAM.
size_t rowInputs(const Kernel &kernel);

/// How many inputs are read where the output is written.
size_t pointwiseInputs(const Kernel &kernel);

/// Whether all pixels of a tile's channels come before the next channels, but for a ramp.
bool isByChannels(const Kernel &kernel, const Schedule &schedule);

/// Tiles of WGT with which data of a step is summed.
int64_t sumTiles(const Kernel &kernel, const Schedule &schedule);

/// Weights that stay in WGT through the layer; input tiles that stay in INP while output channels change.
bool weightsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);
bool inputsStay(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

/// Parameters of all channels that stay in PARAM, where a kernel hands over or is handed over to: its
/// channels change with every step.
bool parametersStay(const Kernel &kernel, const isa::Machine &machine);

/// Whether one step of the schedule fits the scratchpads and the instructions; an error says what does not.
Result<void> fits(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

/// Cycles that the cost model expects of the layer alone: the busiest module, plus what the first and last
/// tile cannot hide.
double estimateCycles(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

/// Instructions of the layer, by the number of its tiles.
double estimateInstructions(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

/// A stream holds so many.
Result<void> fitStream(double instructions);

/// Schedules of a kernel that fit, the cheapest first, at least one; null before they are known. Kernels that
/// are alike share one list. A network has hundreds of thousands of them, so they take little room here.
class RankedSchedules {
public:
  RankedSchedules() = default;
  explicit RankedSchedules(llvm::ArrayRef<Schedule> schedules);

  explicit operator bool() const { return bool(all); }
  size_t size() const { return all->size(); }
  Schedule operator[](size_t place) const;
  Schedule front() const { return (*this)[0]; }

private:
  /// What fits a scratchpad fits these.
  struct Packed {
    int32_t oh, ow, oc, kh, kw, ic;
    uint8_t fold, order, vector, ramp, slide, handsOver;
  };
  std::shared_ptr<const std::vector<Packed>> all;
};

/// All schedules that fit and stay within the instructions of a stream, the cheapest by the closed form
/// first; an error says why there are none.
Result<RankedSchedules> rankSchedules(const Kernel &kernel, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
