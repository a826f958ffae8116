// Branches, the end of threads, barriers, and the registers that say who a thread is.
#pragma once

#include "Code.h"

namespace daedalus::cuda {

void branch(Warp &warp, const Instruction &instruction); ///< extra is the edge
void branchIf(Warp &warp,
              const Instruction &instruction); ///< extra is the edge where true, width where false
void branchOn(Warp &warp, const Instruction &instruction); ///< extra is the switch
void endThread(Warp &warp, const Instruction &instruction);
void failUnreachable(Warp &warp, const Instruction &instruction);
void failUnlessTrue(Warp &warp, const Instruction &instruction);
void doNothing(Warp &warp, const Instruction &instruction);

/// The operands are the slots of its number and of how many threads it is for, 0 of all.
void blockBarrier(Warp &warp, const Instruction &instruction);
void warpBarrier(Warp &warp, const Instruction &instruction); ///< the operand is the mask

/// The registers in the immediate: those with three parts first, x, y, z of each.
enum class SpecialRegister : uint8_t {
  ThreadIndex = 0,
  BlockSize = 3,
  BlockIndex = 6,
  GridSize = 9,
  Lane = 12,
  WarpSize
};
void readSpecialRegister(Warp &warp, const Instruction &instruction);

} // namespace daedalus::cuda
