// The least work of kernels: docs/bounds.md has the proofs.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_BOUND_LEASTWORK_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_BOUND_LEASTWORK_H

#include "Kernels/Kernel.h"
#include "Lowering/Tiles.h"

#include <map>

namespace daedalus::accelerator {

/// What belongs to a kernel's own layer, and to that of the kernel that was fused with it.
struct KernelWork {
  package::LeastWork own, fused;
};

/// Which tensors of a kernel may stay in INP, since a neighbour hands them over or takes them (Handover.h).
struct InInp {
  bool window = false, result = false;
};

/// One for each way in which schedules may fold kernel positions into lanes; at least one.
std::vector<KernelWork> leastWorks(const Kernel &kernel, const isa::Machine &machine, InInp inInp = {});

/// Of all calls of one stream, by layers.
std::map<uint32_t, LayerBound> layerBounds(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine);

} // namespace daedalus::accelerator

#endif
