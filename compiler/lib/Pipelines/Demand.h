// What a network needs of the accelerator at least.

#ifndef DAEDALUS_LIB_PIPELINES_DEMAND_H
#define DAEDALUS_LIB_PIPELINES_DEMAND_H

#include "daedalus/Pipelines/Compile.h"

#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/IR/BuiltinOps.h"

namespace daedalus {

/// Of the placed kernels of `module` that run on the accelerator in `streams`.
Demand demandOf(mlir::ModuleOp module, const isa::Machine &machine,
                llvm::ArrayRef<accelerator::AcceleratorStream> streams);

} // namespace daedalus

#endif
