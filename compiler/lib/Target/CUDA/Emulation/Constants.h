// The module's global values.
#pragma once

#include "Decoder.h"
#include "Memory.h"

namespace daedalus::cuda {

/// Puts a global into device memory, with its value; of shared memory each kernel has its own.
Result<void> placeGlobal(mlir::LLVM::GlobalOp global, GlobalMemory &memory, GlobalAddresses &addresses);

} // namespace daedalus::cuda
