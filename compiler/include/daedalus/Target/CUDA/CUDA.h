// The CUDA backend: kernels of tensors to launches of functions for NVIDIA's GPUs, and these to PTX.

#ifndef DAEDALUS_TARGET_CUDA_CUDA_H
#define DAEDALUS_TARGET_CUDA_CUDA_H

#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace daedalus::cuda {

/// A GPU that code is made for.
struct Architecture {
  unsigned capability = 80; ///< 80 is that of sm_80
  bool isExact = false;     ///< for GPUs of this capability alone, as "sm_90a" says

  bool isEmulated = false; ///< none: what a host emulates (compiler/tools/cuda-emulation)

  /// "sm_90a", "emulated", or "emulated-sm_90a".
  std::string name() const {
    const std::string device = "sm_" + std::to_string(capability) + (isExact ? "a" : "");
    return !isEmulated ? device : isExact ? "emulated-" + device : "emulated";
  }
  /// Whether four warps multiply together, by wgmma.
  bool hasWarpgroups() const { return capability == 90 && isExact; }
};

/// What the code of kernels is made for.
struct CodeOptions {
  Architecture architecture;
  std::string libraries; ///< that products are given to (Settings)
};

/// Of a list such as "sm_80,sm_90a", in its order. The error says which ones there are.
Result<std::vector<Architecture>> parseArchitectures(const std::string &list);

/// Registers what the backend needs: its dialects, and how their operations become buffers and LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);
/// Its passes (Passes.td), and cuda-lower-kernels, the pipeline of all of them.
void registerPasses();

/// Clones kernels, functions of tensors, to a module of their own, as functions of buffers: the inputs, then
/// the result. A cuda.schedule of their module goes with them.
mlir::OwningOpRef<mlir::ModuleOp> takeKernels(llvm::ArrayRef<mlir::func::FuncOp> kernels);

/// Of such a module: each kernel becomes a sequence of `gpu.launch_func`, and the module has one `gpu.module`
/// with what they launch, in the NVVM dialect.
void addLowerKernels(mlir::OpPassManager &passes, const CodeOptions &options);
/// The part up to functions of the `gpu` dialect.
void addFormLaunches(mlir::OpPassManager &passes, const CodeOptions &options);

/// The name of the `gpu.module`.
constexpr const char *deviceModule = "device";

/// The PTX of a `gpu.module` in the NVVM dialect. The error says why there is none.
Result<std::string> ptxOf(mlir::gpu::GPUModuleOp module, const Architecture &architecture);

} // namespace daedalus::cuda

#endif
