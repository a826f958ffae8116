// Level `dae` to a package: a translation, which changes nothing of the module.

#ifndef DAEDALUS_LIB_PIPELINES_ASSEMBLE_H
#define DAEDALUS_LIB_PIPELINES_ASSEMBLE_H

#include "Phases.h"

#include "daedalus/Pipelines/Compile.h"

#include "daedalus/isa/machine.h"
#include "daedalus/isa/program.h"
#include "daedalus/package/package.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace daedalus {

/// The package and its programs, and what the module says of them.
struct Assembled {
  package::Package package;
  std::vector<isa::Program> programs;
  Demand demand;
  uint64_t expectedCycles = 0;
};

/// The package of a module at level `dae` for this machine, which has to be the module's by its hash. It may
/// be anyone's: what it says is checked. Failures are diagnostics.
mlir::FailureOr<Assembled> assemblePackage(mlir::ModuleOp module, const isa::Machine &machine,
                                           const CodeOptions &code, Phases &phases);

/// That the package is legal, by proof with `prove`. `blame`: whose mistake it is where it is not, in the
/// middle of the error's sentence.
Result<void> checkPackage(const Assembled &assembled, const isa::Machine &machine, bool prove,
                          const std::string &blame, Phases &phases);

} // namespace daedalus

#endif
