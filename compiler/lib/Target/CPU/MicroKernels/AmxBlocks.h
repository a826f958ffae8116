// Blocks of sums of products in the tile registers of AMX: which there are, and which take the least time.

#ifndef DAEDALUS_LIB_TARGET_CPU_AMXBLOCKS_H
#define DAEDALUS_LIB_TARGET_CPU_AMXBLOCKS_H

#include "Blocks.h"

namespace daedalus::cpu {

/// A block's rows as tiles of one height. Where they are no multiple of it, the last tile has rows of the one
/// before too.
struct TileRows {
  int64_t tiles, height;

  explicit TileRows(int64_t rows);
  int64_t first(int64_t tile, int64_t rows) const { return std::min(tile * height, rows - height); }
};

/// Groups of DotWidth products that tiles of a reduction of `count` of them have, the same number in all.
int64_t quadsOf(int64_t count);

/// Tile registers that a block takes: its sums, one operand, the one of fewer tiles, and a tile of the other.
int64_t tileRegistersOf(Block block);

/// Those that the tile registers hold, the ones of the least time first.
llvm::SmallVector<Block> tileBlocksByTime(Block most, const TileNeeds &needs);

/// A block of at most so many rows and panels, whose tiles, where they have to be, are exact.
Block tileBlockWithin(Block block, Block most, const TileNeeds &needs);

} // namespace daedalus::cpu

#endif
