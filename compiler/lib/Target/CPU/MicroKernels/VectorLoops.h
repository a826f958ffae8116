// What computes element by element, and reductions that are no sums of products, as loops on vectors.

#ifndef DAEDALUS_LIB_TARGET_CPU_VECTORLOOPS_H
#define DAEDALUS_LIB_TARGET_CPU_VECTORLOOPS_H

#include "Features.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace daedalus::cpu {

/// Whether an operation on tensors or buffers has a form of which lowerToVectors makes vectors, if they lie
/// as these need it.
bool isForVectors(mlir::linalg::LinalgOp op);

/// Replaces operations on buffers of a kernel by loops on vectors; leaves those that have none. Reductions:
/// outputs side by side keep the order of their additions; of one output along a row a vector of sums is
/// added up, and these in pairs.
void lowerToVectors(mlir::func::FuncOp kernel, const Features &features);

} // namespace daedalus::cpu

#endif
