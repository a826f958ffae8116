// The tiles of a group's calls in one order: a tile follows as soon as what it reads is written, so that
// VECTOR works for one call while GEMM works for another.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_WAVEFRONT_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_WAVEFRONT_H

#include "Plan/Script.h"

namespace daedalus::accelerator {

/// Whether a call reads of what another wrote the channels of the same numbers, so that its tiles may follow
/// as soon as those channels of all pixels are there.
bool followsByChannels(const KernelCall &call, const KernelCall &from);

/// The tiles of calls that follow each other: the last call that can go on and has its turn does.
std::vector<Piece> wavefrontOf(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<KernelCall> calls,
                               int64_t lag);

} // namespace daedalus::accelerator

#endif
