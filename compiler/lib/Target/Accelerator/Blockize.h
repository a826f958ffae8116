// Blockize: one kernel as tiles. Every tile becomes loads into scoped buffers, blocks (linalg.generic with the
// lanes of the array innermost) and a store; tensorize turns the blocks into instructions.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKIZE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKIZE_H

#include "Packing.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {

/// Where one call's tensors lie in the arena, in bytes, and which layer it is.
struct KernelSite {
  std::vector<int64_t> inputs; ///< as kernel.inputs
  int64_t output;
  int64_t layer;
};

/// Appends the kernel's tiles at `builder`, and its weights and parameters to `constants`. The schedule fits.
void blockize(mlir::OpBuilder &builder, const Kernel &kernel, const Schedule &schedule, const isa::Machine &machine,
              const KernelSite &site, std::vector<uint8_t> &constants);

} // namespace daedalus::accelerator

#endif
