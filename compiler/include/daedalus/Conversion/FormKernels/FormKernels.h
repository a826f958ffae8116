// Tensor programs as users write them to level `linalg`: what stands in @main becomes kernels and their
// calls.

#ifndef DAEDALUS_CONVERSION_FORMKERNELS_FORMKERNELS_H
#define DAEDALUS_CONVERSION_FORMKERNELS_FORMKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace daedalus {

/// A module at level `linalg`. Calls in @main stay calls of their kernels. Of the rest a kernel is an
/// operation and what it alone reads, up to int8 tensors, which lie in DRAM between kernels: at most one
/// reduction, with what follows it element by element, and with constants, pads and reshapes. Arguments and
/// results without a name are `arg0`, `result0` and so on; kernels are named by their operation's location.
/// Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> formKernels(mlir::ModuleOp program);

} // namespace daedalus

#endif
