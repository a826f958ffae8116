// Some of a model's kernels as a model of their own.

#ifndef DAEDALUS_LIB_PIPELINES_KERNELS_PARTOFMAIN_H
#define DAEDALUS_LIB_PIPELINES_KERNELS_PARTOFMAIN_H

#include "daedalus/Pipelines/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace daedalus {

/// A module of these calls and their kernels alone. What they read of others is an input, and what others
/// read of them an output, as are the results that nobody reads.
mlir::OwningOpRef<mlir::ModuleOp> partOfMain(mlir::ModuleOp kernels, const KernelCalls &calls);

} // namespace daedalus

#endif
