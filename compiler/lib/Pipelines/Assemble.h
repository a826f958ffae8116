// Placed kernels to a package: steps, memory plan, targets' code.

#ifndef DAEDALUS_LIB_PIPELINES_ASSEMBLE_H
#define DAEDALUS_LIB_PIPELINES_ASSEMBLE_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"
#include "daedalus/isa/program.h"

#include "mlir/IR/BuiltinOps.h"

namespace daedalus {

/// The package and, for the levels below linalg, its streams.
struct Assembled {
  package::Package package;
  std::vector<accelerator::AcceleratorStream> streams;
  std::vector<isa::Program> programs; ///< of the streams
  std::vector<Phase> phases;
};

/// Compiles a module at level linalg whose kernels are placed. Failures are diagnostics.
mlir::FailureOr<Assembled> assemblePackage(mlir::ModuleOp module, const CompileOptions &options,
                                           accelerator::Planning &planning);

} // namespace daedalus

#endif
