// The CPU backend: lowered kernels to one freestanding ELF object, shared for this host, or relocatable for
// firmware.

#ifndef DAEDALUS_TARGET_CPU_CPU_H
#define DAEDALUS_TARGET_CPU_CPU_H

#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/package/package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>
#include <vector>

namespace daedalus::cpu {

/// Registers what the backend needs: its dialects, and how their operations become buffers and LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);
/// Its passes (Passes.td), and cpu-lower-kernels, the pipeline of those on kernels.
void registerPasses();

/// Of the argument of a kernel that is its scratch memory.
constexpr uint32_t scratchAlignment = 64;

/// How kernels are compiled.
struct KernelCode {
  /// Settings::firmwarePrefix; empty: a shared object in which nothing is undefined.
  std::string firmwarePrefix;
  std::string cacheFolder; ///< where objects are kept that were compiled before; may be empty
  /// As PackageBuilder::configure.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configure;
};

/// Compiles lowered kernels of `module`, the functions `symbols`, with what they call and the constants that
/// they read: `int32_t symbol(void *const *args, const KernelContext *context)`. The entries of a shared
/// object are those of `symbols`, in order; of a relocatable one they are 0. Failures are diagnostics.
mlir::FailureOr<package::ElfObject> compileKernels(mlir::ModuleOp module,
                                                   const std::vector<std::string> &symbols,
                                                   const Level &level, const KernelCode &how);

/// The optimized LLVM IR of the same kernels, as text.
mlir::FailureOr<std::string> printLlvm(mlir::ModuleOp module, const Level &level);

} // namespace daedalus::cpu

#endif
