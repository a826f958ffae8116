// A stream from its planned calls to blocks on scoped buffers.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_STREAM_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_STREAM_H

#include "Lowering/PackedConstants.h"

#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"

namespace daedalus::accelerator {

/// Sets the stream's module, with the function @stream: the tiles of all calls as blocks on scoped buffers.
mlir::LogicalResult blockizeCalls(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
                                  llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine,
                                  const DramPlacement &placement, Planning &planning,
                                  PackedConstants &constants, AcceleratorStream &result);

} // namespace daedalus::accelerator

#endif
