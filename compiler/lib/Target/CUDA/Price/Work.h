// What the launches of a kernel do, read off their code.

#ifndef DAEDALUS_LIB_TARGET_CUDA_PRICE_WORK_H
#define DAEDALUS_LIB_TARGET_CUDA_PRICE_WORK_H

#include "daedalus/Target/CUDA/Calibration.h"

#include "mlir/IR/BuiltinOps.h"

namespace daedalus::cuda {

/// Of the kernels of a module behind addFormLaunches, in order.
std::vector<LaunchWork> worksOf(mlir::ModuleOp module);

} // namespace daedalus::cuda

#endif
