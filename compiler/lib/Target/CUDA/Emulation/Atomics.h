// The atomic operations that are known.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

enum class AtomicOperation : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  Max,
  Min,
  UMax,
  UMin,
  FAdd,
  FSub,
  FMax,
  FMin
};

/// The immediate is the operation, with the number's kind from bit 8 on.
void atomicUpdate(Warp &warp, const Instruction &instruction);
/// The immediate is the slot of whether it was exchanged.
void atomicCompareExchange(Warp &warp, const Instruction &instruction);

} // namespace daedalus::cuda
