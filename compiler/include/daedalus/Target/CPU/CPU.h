// The CPU backend: kernels at level linalg to loops on buffers, and these to one freestanding ELF shared
// object for this host.

#ifndef DAEDALUS_TARGET_CPU_CPU_H
#define DAEDALUS_TARGET_CPU_CPU_H

#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/package/package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::cpu {

/// Registers what the backend needs: its dialects, and how their operations become buffers and LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);

class GivenSchedule;
struct KernelSchedule;

struct LoweredKernel {
  mlir::func::FuncOp function;
  std::shared_ptr<KernelSchedule> schedule;     ///< null: nothing was to be decided
  llvm::SmallVector<mlir::Attribute> constants; ///< the globals that it is called with
};

/// Lowers a kernel at level linalg, a function of tensors with one result, to loops on buffers: a new
/// function of the same name at the end of `module`, which the kernel has been taken from. Its arguments are
/// the inputs, the large constants, the output and, where it needs scratch memory, one buffer of bytes more,
/// at a multiple of scratchAlignment; kernels use neither heap nor large stack frames. It returns 0, or 1
/// where a cf.assert does not hold. What `given` says of it is obeyed, or refused by a diagnostic. `clean`
/// canonicalizes a function and joins common subexpressions.
mlir::FailureOr<LoweredKernel> lowerKernel(mlir::func::FuncOp kernel, mlir::ModuleOp module,
                                           const GivenSchedule &given,
                                           llvm::function_ref<mlir::LogicalResult(mlir::func::FuncOp)> clean);

constexpr uint32_t scratchAlignment = 64;

/// Compiles lowered kernels of `module`, the functions `symbols`, with what they call and the constants that
/// they read: `int32_t symbol(void *const *args, const KernelContext *context)`. The entries of the object
/// are those of `symbols`, in order; nothing in it is undefined. `cacheFolder`: where objects are kept that
/// were compiled before; may be empty. Failures are diagnostics.
mlir::FailureOr<package::ElfObject> compileKernels(mlir::ModuleOp module,
                                                   const std::vector<std::string> &symbols,
                                                   const Level &level, const std::string &cacheFolder);

/// The optimized LLVM IR of the same kernels, as text.
mlir::FailureOr<std::string> printLlvm(mlir::ModuleOp module, const Level &level);

} // namespace daedalus::cpu

#endif
