// Beats of the bus that a kernel's inputs and result need at least.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_BOUND_LEASTREADS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_BOUND_LEASTREADS_H

#include "Schedule/Schedule.h"

namespace daedalus::accelerator {

/// Positions of a dimension of `size` that some of `out` outputs read: o * stride - pad + k * dilation for
/// o < out, k < kernel, where that is in the dimension.
int64_t positionsRead(int64_t size, int64_t out, int64_t stride, int64_t pad, int64_t kernel,
                      int64_t dilation);

/// Of the input that the window reads, with kernel positions folded so.
uint64_t windowBeats(const Kernel &kernel, dae::Fold fold, const isa::Machine &machine);

/// Of an input that is no window's: read where the result is written, a row a channel, or weights.
uint64_t operandBeats(const Kernel &kernel, size_t input, const isa::Machine &machine);

/// Of constant weights, packed in tiles for the fold.
uint64_t weightBeats(const Kernel &kernel, dae::Fold fold, const isa::Machine &machine);

/// Of what stages read in PARAM and LUT.
uint64_t constantBeats(const Kernel &kernel, const StageConstant &constant, const isa::Machine &machine);

/// Of the result.
uint64_t resultBeats(const Kernel &kernel, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
