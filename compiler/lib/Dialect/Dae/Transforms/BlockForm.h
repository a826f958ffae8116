// What every block has to be, whatever it computes, before it is compared with intrinsics.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BLOCKFORM_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_BLOCKFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace daedalus::dae {

/// What is wrong with the form of a block, or nothing: only buffers of dae.alloc and extents of dae.window
/// have the rows that loops become strides of, and what is reduced is what the output does not move along.
std::string formProblem(mlir::linalg::GenericOp block);

/// What is wrong with the use of filled buffers, or nothing. No instruction fills: what is filled is there
/// for the next block that writes all of it to start from.
std::string fillProblem(mlir::linalg::GenericOp block, llvm::function_ref<bool(mlir::Value)> isFilled);

} // namespace daedalus::dae

#endif
