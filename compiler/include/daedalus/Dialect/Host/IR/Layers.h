// Where kernels run in a program of the host.

#ifndef DAEDALUS_DIALECT_HOST_IR_LAYERS_H
#define DAEDALUS_DIALECT_HOST_IR_LAYERS_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <vector>

namespace daedalus::host {

/// The layers of kernels by their functions; of a layer in which several kernels run, none.
llvm::StringMap<std::vector<uint32_t>> layersOf(mlir::ModuleOp module);

} // namespace daedalus::host

#endif
