#include "Report/Profile/Utilisation.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

namespace daedalus::report {

double products(uint64_t cycles, const isa::Machine &machine) {
  return static_cast<double>(machine.n) * machine.n * static_cast<double>(cycles);
}

std::vector<LayerUse> usesOf(const runtime::RunResult &result, const isa::Machine *machine) {
  std::vector<LayerUse> uses;
  for (const runtime::LayerCycles &layer : result.layers) {
    const bool multiplies = machine && runsStreams(layer.target) && layer.macs &&
                            static_cast<double>(layer.macs) <= products(layer.gemmCycles, *machine);
    uses.push_back(multiplies
                       ? LayerUse(static_cast<double>(layer.macs) / products(layer.gemmCycles, *machine))
                       : std::nullopt);
  }
  return uses;
}

LayerUse useOf(const runtime::RunResult &result, const isa::Machine *machine) {
  if (!machine || !result.cycles)
    return std::nullopt;
  uint64_t macs = 0;
  for (const runtime::LayerCycles &layer : result.layers)
    macs += runsStreams(layer.target) ? layer.macs : 0;
  return static_cast<double>(macs) / products(result.cycles, *machine);
}

std::string textOf(const LayerUse &use) {
  return use ? percent(*use, 1) : "-";
}

} // namespace daedalus::report
