// The way of kernels to launches, in its two parts: to buffers, and from there (formLaunches).

#ifndef DAEDALUS_LIB_TARGET_CUDA_BUFFERS_H
#define DAEDALUS_LIB_TARGET_CUDA_BUFFERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

namespace daedalus::cuda {

/// Of a module as takeKernels gives it: kernels of buffers, as formLaunches takes them.
void addFormBuffers(mlir::OpPassManager &passes);

/// Makes such a module one that launches: its `gpu.module`, empty.
mlir::gpu::GPUModuleOp addDeviceModule(mlir::ModuleOp module);

} // namespace daedalus::cuda

#endif
