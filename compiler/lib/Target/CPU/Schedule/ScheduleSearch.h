// What is tried instead of a schedule, and how entries of a schedule are text.

#ifndef DAEDALUS_LIB_TARGET_CPU_SCHEDULESEARCH_H
#define DAEDALUS_LIB_TARGET_CPU_SCHEDULESEARCH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"

namespace daedalus::cpu {

/// Gives the dialect its SchedulingInterface.
void addScheduling(mlir::Dialect &dialect);

/// The kernels of the steps for a target of a module at level `dae`, with what they call and the globals that
/// they name, alone in a module.
mlir::OwningOpRef<mlir::ModuleOp> kernelsOf(mlir::ModuleOp module, llvm::StringRef target);

} // namespace daedalus::cpu

#endif
