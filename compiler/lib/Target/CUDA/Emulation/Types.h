// What types of MLIR's llvm dialect are in slots and in memory.
#pragma once

#include "Code.h"

#include "mlir/IR/Types.h"

namespace daedalus::cuda {

/// The scalars of a type in their order, nothing of a type that the emulator does not know.
std::vector<Scalar> scalarsOf(mlir::Type type);

/// As LLVM lays out for NVPTX: everything aligned to its size, vectors too.
uint64_t sizeOf(mlir::Type type);
uint64_t alignmentOf(mlir::Type type);

/// Where a struct's field lies.
uint64_t fieldOffset(mlir::Type type, unsigned field);

} // namespace daedalus::cuda
