#include "Utilisation.h"
#include "Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>

namespace daedalus::cli {
namespace {

using runtime::LayerCycles;
using runtime::RunResult;

/// Layers whose products are counted against their cycles together: some of the work of the later ones is
/// done in cycles that count as the earlier ones'.
struct Overlap {
  size_t first, last; ///< indices of RunResult::layers, both included
  uint64_t macs, cycles;
};

bool exceeds(const Overlap &overlap, const isa::Machine &machine) {
  return static_cast<double>(overlap.macs) > products(overlap.cycles, machine);
}

/// The layers with cycles, in order, in as many groups as can be without one of more products than its cycles
/// have room for.
std::vector<Overlap> overlapsOf(const RunResult &result, const isa::Machine &machine) {
  std::vector<Overlap> overlaps;
  for (size_t i = 0; i < result.layers.size(); ++i) {
    const LayerCycles &layer = result.layers[i];
    if (!runsStreams(layer.target) || (layer.cycles == 0 && layer.macs == 0))
      continue;
    overlaps.push_back({i, i, layer.macs, layer.cycles});
    while (overlaps.size() > 1 &&
           (exceeds(overlaps.back(), machine) || exceeds(overlaps.rbegin()[1], machine))) {
      const Overlap last = overlaps.back();
      overlaps.pop_back();
      overlaps.back().last = last.last;
      overlaps.back().macs += last.macs;
      overlaps.back().cycles += last.cycles;
    }
  }
  return overlaps;
}

constexpr const char *below = "(below)";

} // namespace

double products(uint64_t cycles, const isa::Machine &machine) {
  return static_cast<double>(machine.n) * machine.n * static_cast<double>(cycles);
}

std::vector<LayerUse> usesOf(const RunResult &result, const isa::Machine *machine) {
  std::vector<LayerUse> uses(result.layers.size());
  if (!machine || result.cycles == 0)
    return uses;
  for (const Overlap &overlap : overlapsOf(result, *machine)) {
    for (size_t i = overlap.first; i < overlap.last; ++i)
      if (runsStreams(result.layers[i].target))
        uses[i].countedWith = overlap.last;
    if (!exceeds(overlap, *machine)) // which no merging could mend
      uses[overlap.last].part = static_cast<double>(overlap.macs) / products(overlap.cycles, *machine);
  }
  return uses;
}

std::string textOf(const LayerUse &use) {
  if (use.countedWith)
    return below;
  return use.part.value_or(0) > 0 ? percent(*use.part, 1) : "-";
}

std::string overlapNote(const std::vector<LayerUse> &uses) {
  const bool overlap =
      std::any_of(uses.begin(), uses.end(), [](const LayerUse &use) { return use.countedWith.has_value(); });
  return overlap ? std::string(below) + ": counted with a later layer, whose work overlaps this one's\n" : "";
}

} // namespace daedalus::cli
