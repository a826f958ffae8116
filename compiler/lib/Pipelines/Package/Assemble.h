// Level `dae` to a package: a translation, which changes nothing of the module.

#ifndef DAEDALUS_LIB_PIPELINES_ASSEMBLE_H
#define DAEDALUS_LIB_PIPELINES_ASSEMBLE_H

#include "Phases.h"

#include "daedalus/Pipelines/Compile.h"

#include "daedalus/Target/Target.h"
#include "daedalus/package/package.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace daedalus {

/// The package, and what the module says of it.
struct Assembled {
  package::Package package;
  std::vector<LayerPrices> prices; ///< by layer
  Demand demand;
};

/// The package of a module at level `dae`, which `states` are open for. It may be anyone's: what it says is
/// checked. `configure`, `code`: as of CompileOptions. Failures are diagnostics.
mlir::FailureOr<Assembled> assemblePackage(mlir::ModuleOp module, TargetStates &states, Phases &phases,
                                           const std::function<bool(mlir::PassManager &)> &configure,
                                           bool code);

/// That the package is legal, by proof with `prove`. `blame`: as of Target::prove.
Result<void> checkPackage(const package::Package &package, TargetStates &states, bool prove,
                          const std::string &blame, Phases &phases);

} // namespace daedalus

#endif
