// The tiles of a group's calls in one order: a tile follows as soon as what it reads is written, so that
// VECTOR works for one call while GEMM works for another.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_WAVEFRONT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_WAVEFRONT_H

#include "Lowering/Tiler.h"

namespace daedalus::accelerator {

/// All tiles of a call with one schedule, emitted once for all plans that they are part of.
struct Script {
  Script(const KernelCall &call, uint32_t index, const isa::Machine &machine);

  TileProgram program;
  Tiler tiler;
  std::vector<size_t> ends; ///< of the tiles, in the program
};

/// Whether a call reads of what another wrote the channels of the same numbers, so that its tiles may follow
/// as soon as those channels of all pixels are there.
bool followsByChannels(const KernelCall &call, const KernelCall &from);

/// The tiles of calls that follow each other: the last call that can go on and has its turn does.
std::vector<Piece> wavefrontOf(llvm::ArrayRef<Script *> scripts, llvm::ArrayRef<KernelCall> calls,
                               int64_t lag);

/// Appends pieces to a program of its own.
void append(llvm::ArrayRef<Piece> pieces, TileProgram &program);

} // namespace daedalus::accelerator

#endif
