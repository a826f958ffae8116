// What is done to kernels and to their tiles, each by its name in plans (docs/schedules.md): the vocabulary
// of schedules. flatten, diagonal weights and pair bring a kernel to the form that the machine has; fuse
// joins two; fold, split and ramp are decisions about tiles.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_TRANSFORMS_TRANSFORMS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_TRANSFORMS_TRANSFORMS_H

#include "Lowering/Packing.h"
#include "Schedule/Schedule.h"

namespace daedalus::accelerator {

/// The same computation with the fewest dimensions; `isDense`: no tensor of it is a part of a wider one.
void flatten(Kernel &kernel, bool isDense = true);

/// A product in groups as one that a machine of N lanes has: block diagonal where groups fill blocks evenly,
/// else dense with zeros.
void diagonalWeights(Kernel &kernel, int64_t n);

/// A kernel of a window with weights whose result has half the columns of twice the channels, the same
/// elements in the same order, by windows that fit a row of N lanes; nothing where it is none such.
std::optional<Kernel> pairedColumns(const Kernel &kernel, int64_t n);

/// Counts the tiles that have excess.
void countExcess(Kernel &kernel, int64_t n);

/// What follows `producer`, which has a reduction, where `consumer`, which has none, reads its result as its
/// input `input` and nothing else does; nothing where that cannot be one kernel.
std::optional<Kernel> fused(const Kernel &producer, const Kernel &consumer, size_t input);

/// Folded positions are one run in DRAM, and lanes that are not loaded whole have no place of their own:
/// an error where the schedule folds others.
Result<void> foldFits(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// Whether VECTOR computes the tile of this number.
bool isOnVector(const Kernel &kernel, const Schedule &schedule, int64_t tile);

/// A sum over windows as a product lane by lane with ones, or such a product over one window of a whole
/// image, with the kernel positions in the rows that a window of GEMM covers best; nothing where it is
/// neither.
std::optional<Kernel> windowedSum(const Kernel &kernel, const isa::Machine &machine);

/// How GEMM's window covers the taps of a product lane by lane: passes of `rows` x `columns` taps each, which
/// begin `rowShift` and `columnShift` taps behind each other. Taps are positions of the input tile, so that
/// with dilation some between those of the kernel have no weight.
struct Slide {
  int64_t rows, columns, rowPasses, columnPasses, rowShift, columnShift;
  int64_t rowStep, columnStep; ///< of the input, from a position of the tile to the next
  int64_t rowStride, step;     ///< positions of the tile from a result to the next
  int64_t rowGap, columnGap;   ///< positions of the tile from a tap of the kernel to the next
  int64_t chain;               ///< bytes of a row of WGT from a row of taps to the next

  int64_t passes() const { return rowPasses * columnPasses; }
  /// Of GEMM, for a row of so many results of a block of channels (R26).
  int64_t cycles(int64_t results) const;
};

/// The window of schedule.slide rows; nothing where the kernel has none.
std::optional<Slide> slideOf(const Kernel &kernel, const Schedule &schedule);
/// Its tile of the input.
TileShape slideTile(const Kernel &kernel, const Schedule &tile);
/// The rows of the window with the fewest cycles for a tile, or 0 where diagonal tiles take no more.
int64_t bestSlide(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);
/// An error where the schedule has a window that the kernel or the machine does not.
Result<void> slideFits(const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine);

/// A tile's blocks of channels one by one.
std::vector<Range> rampOf(const Range &blocks);

/// The kernel of a function in the form that schedules are for, on tensors that are `dense` or parts of wider
/// ones.
Result<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine, bool dense = true);

} // namespace daedalus::accelerator

#endif
