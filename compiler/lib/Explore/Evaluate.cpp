// See Evaluate.h.
#include "Explore/Evaluate.h"

#include "Report/Certificate.h"
#include "Report/Energy/LayerEnergy.h"
#include "Tuning/Costs.h"
#include "daedalus/Target/Target.h"
#include "daedalus/runtime/bound.h"

#include <algorithm>

namespace daedalus::explore {

Result<Networks> Networks::open(const std::vector<std::string> &paths, const CompileOptions &options,
                                SettingsFor settingsFor, report::EnergyTable energy) {
  Networks all;
  all.settingsFor = std::move(settingsFor);
  all.energy = std::move(energy);
  for (const std::string &path : paths) {
    const auto same = [&](const Network &network) { return network.path == path; };
    if (std::any_of(all.networks.begin(), all.networks.end(), same))
      return error("the model '" + path + "' is given twice");
    Result<std::unique_ptr<ModelKernels>> kernels = ModelKernels::of(path, options);
    if (!kernels)
      return error(kernels.error());
    all.networks.push_back({path, std::move(*kernels)});
  }
  return all;
}

Result<package::Package> Networks::packageOf(size_t network, const isa::Machine &machine) {
  Result<Compiled> compiled = networks[network].kernels->compile(settingsFor(machine));
  if (!compiled)
    return error(compiled.error());
  return std::move(compiled->package);
}

Result<Cost> Networks::costOf(size_t network, const isa::Machine &machine) {
  const Result<package::Package> compiled = packageOf(network, machine);
  if (!compiled)
    return error(compiled.error());
  const package::Package &package = *compiled;
  const Result<uint64_t> cycles = report::cyclesOf(package, package.functions.front(), machine);
  if (!cycles)
    return error(name(network) + ": " + cycles.error());
  Cost cost;
  cost.cycles = *cycles;
  cost.boundCycles = runtime::boundOf(package, machine);
  for (const tuning::DramBytes &bytes : tuning::dramBytesOf(package, machine))
    cost.dramBytes += bytes.total();
  for (const report::Energy &layer : report::layerEnergies(package, machine, energy))
    cost.picojoules += layer.total();
  cost.hostLayers = static_cast<uint64_t>(
      std::count_if(package.layers.begin(), package.layers.end(),
                    [](const package::Layer &layer) { return layer.target == fallbackTarget().name(); }));
  return cost;
}

uint64_t scratchpadBits(const isa::Machine &m) {
  return 8 * (uint64_t(m.inpBytes) + m.wgtBytes + m.accBytes + m.paramBytes + m.lutBytes + m.outBytes);
}

} // namespace daedalus::explore
