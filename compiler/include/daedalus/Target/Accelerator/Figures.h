// What a compilation found out about the accelerator's streams.

#ifndef DAEDALUS_TARGET_ACCELERATOR_FIGURES_H
#define DAEDALUS_TARGET_ACCELERATOR_FIGURES_H

#include <cstdint>

namespace daedalus {
class TargetStates;
}

namespace daedalus::accelerator {

struct Figures {
  uint64_t expectedCycles = 0; ///< of all streams, by the planner's model
  uint64_t tileCycles = 0;     ///< cycles of GEMM at least: its N x N products
  /// Bytes of DRAM when each tensor is read and written once.
  uint64_t readBytes = 0, writtenBytes = 0;
};

/// Of a package that was compiled with these states.
Figures figuresOf(TargetStates &states);

} // namespace daedalus::accelerator

#endif
