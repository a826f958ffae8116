// The CPU backend: kernels at level linalg to one freestanding ELF shared object for this host.

#ifndef DAEDALUS_TARGET_CPU_CPU_H
#define DAEDALUS_TARGET_CPU_CPU_H

#include "daedalus/package/package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace daedalus::cpu {

struct CompiledKernels {
  package::ElfObject object;
  /// Symbols, and the signatures of what was compiled.
  std::vector<package::Kernel> kernels;
  /// For each kernel, in order: bytes of scratch memory that it takes as one further pointer behind its
  /// outputs; 0: none. Kernels use neither heap nor large stack frames.
  std::vector<uint64_t> scratchBytes;
};

/// Registers what the backend needs with the context, before any of it runs.
void registerDialects(mlir::MLIRContext &context);

/// Compiles `kernels`: `int32_t symbol(void *const *args)`, args = inputs, output, scratch; 0, or 1 where a
/// cf.assert does not hold; symbols are the names of the functions. Nothing in the object is undefined.
/// Failures are diagnostics.
mlir::FailureOr<CompiledKernels> compileKernels(mlir::ArrayRef<mlir::func::FuncOp> kernels);

/// The optimized LLVM IR of the same kernels, as text.
mlir::FailureOr<std::string> printLlvm(mlir::ArrayRef<mlir::func::FuncOp> kernels);

} // namespace daedalus::cpu

#endif
