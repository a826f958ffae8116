// See AmxBlocks.h.

#include "AmxBlocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using llvm::SmallVector;

namespace daedalus::cpu {
namespace {

constexpr int64_t MostHeight = 16, MostQuads = 16; ///< of a tile: rows, and columns of 32 bits
constexpr int64_t MostPanels = TileRegisters - 2;  ///< of one tile of rows
constexpr int64_t MostRows = MostPanels * MostHeight;

/// Neither a row nor a panel is computed twice.
bool isExact(Block block, Block most) {
  const TileRows rows(block.rows);
  return most.rows % block.rows == 0 && most.panels % block.panels == 0 &&
         rows.tiles * rows.height == block.rows;
}

/// Whether no smaller size takes as many blocks for all of `most`.
bool isLeast(int64_t size, int64_t most) {
  return llvm::divideCeil(most, llvm::divideCeil(most, size)) == uint64_t(size);
}

/// Of a step of the reduction, after Intel's optimization manual: a product of tiles takes a cycle a row, and
/// its sum comes 52 cycles later; two rows of tiles are loaded in a cycle. Of blocks that take the same,
/// those with fewer loads are better.
double cyclesOf(Block block, int64_t quads) {
  constexpr double latency = 52;
  const TileRows rows(block.rows);
  const double products = double(rows.tiles * rows.height * block.panels);
  const double loads = double(rows.tiles * rows.height + block.panels * quads) / 2;
  return std::max({products, latency, loads}) + loads / 32;
}

} // namespace

TileRows::TileRows(int64_t rows)
    : tiles(llvm::divideCeil(rows, MostHeight)), height(llvm::divideCeil(rows, tiles)) {}

int64_t quadsOf(int64_t count) {
  int64_t quads = std::min(count, MostQuads);
  while (count % quads)
    --quads;
  return quads;
}

int64_t tileRegistersOf(Block block) {
  const int64_t tiles = TileRows(block.rows).tiles;
  return tiles * block.panels + std::min(tiles, block.panels) + 1;
}

SmallVector<Block> tileBlocksByTime(Block most, const TileNeeds &needs) {
  SmallVector<std::pair<double, Block>> all;
  for (int64_t panels = 1; panels <= std::min(most.panels, MostPanels); ++panels)
    for (int64_t rows = 1; rows <= std::min(most.rows, MostRows); ++rows) {
      const Block block{rows, panels};
      if (!isLeast(rows, most.rows) || !isLeast(panels, most.panels) ||
          tileRegistersOf(block) > TileRegisters || (needs.isExact && !isExact(block, most)))
        continue;
      const int64_t times = llvm::divideCeil(most.rows, rows) * llvm::divideCeil(most.panels, panels);
      all.push_back({times * cyclesOf(block, needs.quads), block});
    }
  llvm::stable_sort(all, [](const auto &a, const auto &b) { return a.first < b.first; });
  return llvm::to_vector(llvm::make_second_range(all));
}

Block tileBlockWithin(Block block, Block most, const TileNeeds &needs) {
  block = {std::min(block.rows, most.rows), std::min(block.panels, most.panels)};
  if (!needs.isExact)
    return block;
  while (most.panels % block.panels)
    --block.panels;
  while (!isExact(block, most))
    --block.rows;
  return block;
}

} // namespace daedalus::cpu
