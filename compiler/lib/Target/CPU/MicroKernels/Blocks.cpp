// See Blocks.h.

#include "Blocks.h"

#include "AmxBlocks.h"

#include "llvm/ADT/STLExtras.h"

using llvm::SmallVector;

namespace daedalus::cpu {
namespace {

constexpr int64_t MostRows = 14, MostPanels = 4;

/// Cycles of a block for one step of the reduction, by what its arithmetic and its loads take; among blocks
/// that take the same, those with fewer loads are better.
double cyclesOf(int64_t rows, int64_t panels, unsigned accumulators) {
  constexpr double latency = 8; // of an addition, in sums that wait for each other
  const double sums = rows * panels * accumulators, loads = panels * accumulators + rows * 0.5;
  return std::max({sums, latency, loads}) + loads / 32;
}

} // namespace

Block BlockNeeds::within(Block block) const {
  if (tiles)
    return tileBlockWithin(block, most, *tiles);
  return {std::min(block.rows, std::max<int64_t>(most.rows, 1)),
          std::min(block.panels, std::max<int64_t>(most.panels, 1))};
}

int64_t BlockNeeds::mostRegisters(const Features &features) const {
  return tiles ? TileRegisters : features.registers;
}

int64_t BlockNeeds::registersOf(Block block) const {
  if (tiles)
    return tileRegistersOf(block);
  const int64_t panel = block.panels * accumulators;
  if (block.rows * block.panels == 1)
    return 1;
  return block.rows * panel + (keepsWeights ? panel + 2 : std::min<int64_t>(panel, 2) + 1);
}

Block BlockNeeds::best(const Features &features) const {
  if (given)
    return *given;
  const SmallVector<Block> all = blocksByTime(*this, features);
  return all.empty() ? Block() : all.front();
}

SmallVector<Block> blocksByTime(const BlockNeeds &needs, const Features &features) {
  if (needs.tiles)
    return tileBlocksByTime(needs.most, *needs.tiles);
  const int64_t rows = needs.most.rows, panels = needs.most.panels;
  SmallVector<std::pair<double, Block>> all;
  for (int64_t p = 1; p <= std::min(panels, MostPanels); ++p)
    for (int64_t r = 1; r <= std::min(rows, MostRows); ++r) {
      if (needs.registersOf({r, p}) > features.registers)
        continue;
      const auto cycles = [&](int64_t width) {
        return (rows / r) * cyclesOf(r, width, needs.accumulators) +
               (rows % r ? cyclesOf(rows % r, width, needs.accumulators) : 0);
      };
      all.push_back({(panels / p) * cycles(p) + (panels % p ? cycles(panels % p) : 0), {r, p}});
    }
  llvm::stable_sort(all, [](const auto &a, const auto &b) { return a.first < b.first; });
  return llvm::to_vector(llvm::make_second_range(all));
}

} // namespace daedalus::cpu
