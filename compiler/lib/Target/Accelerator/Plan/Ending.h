// What the end of a sequence of operations says of its cost, before any of them is run.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_ENDING_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_ENDING_H

#include "Plan/Script.h"

namespace daedalus::accelerator {

/// Cycles that no run of the sequence saves.
struct Ending {
  Drain drain;
  /// What GEMM and VECTOR have to do from the operation on that has started when the last LOAD is dispatched,
  /// since the queues hold only so many: LOAD is not ahead of it. Unknown, where there is none.
  Cycle gemmFromLoad = Unknown, vectorFromLoad = Unknown;

  static constexpr Cycle Unknown = ~Cycle(0);
};

/// Of pieces of scripts.
Ending endingOf(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<Piece> pieces,
                const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
