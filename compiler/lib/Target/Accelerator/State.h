// What the accelerator knows and keeps through one compilation.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_STATE_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_STATE_H

#include "daedalus/Target/Accelerator/Figures.h"
#include "daedalus/Target/Accelerator/Planning.h"
#include "daedalus/isa/machine.h"
#include "daedalus/isa/program.h"

#include <vector>

namespace daedalus::accelerator {

class State : public Planning {
public:
  Result<void> open(const TargetSettings &settings, mlir::ModuleOp module) override;

  /// In MHz, that Settings say, or else the machine; 0: none.
  uint64_t clock() const { return clockMhz.value_or(machine.clockMhz); }

  isa::Machine machine;
  std::optional<uint64_t> clockMhz;   ///< of Settings
  std::vector<isa::Program> programs; ///< of the package
  Figures figures;                    ///< once the package is made
};

/// Of a module's host.package, as the passes leave it.
Figures figuresOf(mlir::ModuleOp module);

/// That the package's programs are legal, alone and beside each other; `blame`: as of Target::prove.
Result<void> provePrograms(const package::Package &package, const State &state, const std::string &blame);

/// The streams as assembly, with the names of layers as comments, or as the words of a program file.
Result<std::string> emitPrograms(const std::string &level, const package::Package &package,
                                 const std::vector<isa::Program> &programs);

} // namespace daedalus::accelerator

#endif
