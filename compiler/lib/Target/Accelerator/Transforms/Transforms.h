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

/// What follows `producer`, which has a reduction, where `consumer`, which has none, reads its result as its
/// input `input` and nothing else does; nothing where that cannot be one kernel.
std::optional<Kernel> fused(const Kernel &producer, const Kernel &consumer, size_t input);

/// Folded positions are one run in DRAM, and lanes that are not loaded whole have no place of their own:
/// an error where the schedule folds others.
Result<void> foldFits(const Kernel &kernel, const Schedule &schedule, int64_t n);

/// Whether VECTOR computes the tile of this number.
bool isOnVector(const Kernel &kernel, const Schedule &schedule, int64_t tile);

/// A tile's blocks of channels one by one.
std::vector<Range> rampOf(const Range &blocks);

/// The kernel of a function in the form that schedules are for, on tensors that are `dense` or parts of wider
/// ones.
Result<Kernel> readSimplified(mlir::func::FuncOp func, const isa::Machine &machine, bool dense = true);

} // namespace daedalus::accelerator

#endif
