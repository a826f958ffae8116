// Level `dae` to a package: a translation, which changes nothing of the module.

#ifndef DAEDALUS_LIB_PIPELINES_ASSEMBLE_H
#define DAEDALUS_LIB_PIPELINES_ASSEMBLE_H

#include "Phases.h"

#include "daedalus/isa/machine.h"
#include "daedalus/isa/program.h"
#include "daedalus/package/package.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace daedalus {

/// The package and its programs.
struct Assembled {
  package::Package package;
  std::vector<isa::Program> programs;
};

struct AssembleOptions {
  isa::Machine machine; ///< has to be the module's, by its hash
  bool verify = true;   ///< prove the streams
  /// Whose mistake it is where the package is not legal; begins the sentence's end.
  std::string blame = ", which is a mistake of the compiler: ";
};

/// The package of a module at level `dae`, which may be anyone's: what it says is checked. Failures are
/// diagnostics.
mlir::FailureOr<Assembled> assemblePackage(mlir::ModuleOp module, const AssembleOptions &options,
                                           Phases &phases);

} // namespace daedalus

#endif
