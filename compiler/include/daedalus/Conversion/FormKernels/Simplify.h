// What tensor programs may have that kernels do not.

#ifndef DAEDALUS_CONVERSION_FORMKERNELS_SIMPLIFY_H
#define DAEDALUS_CONVERSION_FORMKERNELS_SIMPLIFY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus {

/// Loops of constant bounds (scf.for, up to 1024 iterations) are unrolled, scalar operations on tensors
/// become linalg.generic, tensor.concat its slices, linalg.softmax its steps. Fails with a diagnostic where a
/// loop stays.
mlir::LogicalResult simplifyProgram(mlir::func::FuncOp main);

} // namespace daedalus

#endif
