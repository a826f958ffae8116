// By what blocks are found again that become the same instructions.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BLOCKKEY_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BLOCKKEY_H

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace daedalus::dae {

/// Of what names attributes, types and operations; equal keys are equal as long as their context lives.
using Key = std::vector<const void *>;

/// The scratchpad that a buffer is in.
std::optional<Scope> scopeOf(mlir::Value buffer);

/// What the expression of a body depends on: names, attributes, types and which values are used where. Empty
/// where a value comes from nowhere.
Key keyOfBody(mlir::linalg::GenericOp block);

/// What the instructions of a block depend on, but for its buffers and the values that they are filled with.
/// Empty where that of its body is, and of a block on anything but buffers with one output.
Key keyOfBlock(mlir::linalg::GenericOp block, llvm::function_ref<bool(mlir::Value)> isFilled);

} // namespace daedalus::dae

#endif
