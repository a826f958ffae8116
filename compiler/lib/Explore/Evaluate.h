// What a network costs on a machine, exactly: the programs that the compiler makes for it, run without
// results.
#pragma once

#include "Report/Energy/EnergyTable.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/machine.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::explore {

/// Of a call of a network's first function.
struct Cost {
  uint64_t cycles = 0;      ///< of all accelerator programs, as every run takes them
  uint64_t boundCycles = 0; ///< least cycles of any schedule (docs/bounds.md)
  uint64_t dramBytes = 0;   ///< that LOAD and STORE move
  double picojoules = 0;    ///< estimated by the table
  uint64_t hostLayers = 0;  ///< layers on the host's CPU, which none of these numbers counts
};

/// Networks brought to kernels once; not to be used by two threads.
class Networks {
public:
  using SettingsFor = std::function<TargetSettings(const isa::Machine &)>;

  /// Errors are those of compileModel, and a network whose name another one has.
  static Result<Networks> open(const std::vector<std::string> &paths, const CompileOptions &options,
                               SettingsFor settingsFor, report::EnergyTable energy);

  size_t size() const { return networks.size(); }
  /// Its path, as it was given.
  const std::string &name(size_t network) const { return networks[network].path; }
  /// The network for the machine, without code. Errors are those of compileModel.
  Result<package::Package> packageOf(size_t network, const isa::Machine &machine);
  /// Errors are those of packageOf, and a program that stops with a fault.
  Result<Cost> costOf(size_t network, const isa::Machine &machine);

private:
  struct Network {
    std::string path;
    std::unique_ptr<ModelKernels> kernels;
  };

  std::vector<Network> networks;
  SettingsFor settingsFor;
  report::EnergyTable energy;
};

/// Bits of all scratchpads.
uint64_t scratchpadBits(const isa::Machine &machine);

} // namespace daedalus::explore
