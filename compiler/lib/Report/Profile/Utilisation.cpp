#include "Report/Profile/Utilisation.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

namespace daedalus::report {

namespace {

uint64_t gemmProducts(const runtime::LayerCycles &layer) {
  return runsStreams(layer.target) ? layer.macs - layer.vectorMacs : 0;
}

} // namespace

double products(uint64_t cycles, const isa::Machine &machine) {
  return static_cast<double>(machine.n) * machine.n * static_cast<double>(cycles);
}

std::vector<LayerUse> usesOf(const runtime::RunResult &result, const isa::Machine *machine) {
  std::vector<LayerUse> uses;
  for (const runtime::LayerCycles &layer : result.layers) {
    const uint64_t macs = machine ? gemmProducts(layer) : 0;
    uses.push_back(macs && layer.gemmCycles
                       ? LayerUse(static_cast<double>(macs) / products(layer.gemmCycles, *machine))
                       : std::nullopt);
  }
  return uses;
}

LayerUse useOf(const runtime::RunResult &result, const isa::Machine *machine) {
  if (!machine || !result.cycles)
    return std::nullopt;
  uint64_t macs = 0;
  for (const runtime::LayerCycles &layer : result.layers)
    macs += gemmProducts(layer);
  return static_cast<double>(macs) / products(result.cycles, *machine);
}

std::string textOf(const LayerUse &use) {
  return use ? percent(*use, 1) : "-";
}

} // namespace daedalus::report
