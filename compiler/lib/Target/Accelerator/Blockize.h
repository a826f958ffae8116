// Blockize: kernels as tiles. Every tile becomes loads into scoped buffers, blocks (linalg.generic with the
// lanes of the array innermost) and a store; tensorize turns the blocks into instructions.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKIZE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKIZE_H

#include "Packing.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {

/// One call of a kernel: how it is tiled, where its tensors lie in the arena in bytes, which layer it is.
struct KernelCall {
  Kernel kernel;
  Schedule schedule;           ///< fits
  std::vector<int64_t> inputs; ///< as kernel.inputs
  int64_t output = 0;
  int64_t layer = 0;
};

/// Appends the tiles of all calls at `builder`, and their weights and parameters to `constants`.
void blockize(mlir::OpBuilder &builder, llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine,
              std::vector<uint8_t> &constants);

} // namespace daedalus::accelerator

#endif
