// Blockize: planned tiles as operations. Loads and stores become dae.load and dae.store; everything between
// becomes blocks (linalg.generic with the lanes of the array innermost) on scoped buffers, which tensorize
// turns into instructions.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_BLOCKIZE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_BLOCKIZE_H

#include "Lowering/PackedConstants.h"
#include "Lowering/Tiles.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {

/// Appends the program, whose calls are `calls`, at `builder`, and the weights and parameters of all calls to
/// `constants`; the calls' own weights are gone then.
void blockize(mlir::OpBuilder &builder, const TileProgram &program, std::vector<KernelCall> &calls,
              const isa::Machine &machine, PackedConstants &constants);

} // namespace daedalus::accelerator

#endif
