// Blocks of sums of products: which there are, and which take the least time.

#ifndef DAEDALUS_LIB_TARGET_CPU_BLOCKS_H
#define DAEDALUS_LIB_TARGET_CPU_BLOCKS_H

#include "Features.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace daedalus::cpu {

/// Rows of the output, and panels of columns, that are computed at once.
struct Block {
  int64_t rows = 1, panels = 1;
};

constexpr unsigned TileRegisters = 8;

/// Of sums of products in tile registers (AmxBlocks.h).
struct TileNeeds {
  int64_t quads = 0;    ///< groups of DotWidth products in a step of the reduction
  bool isExact = false; ///< no row or panel may be computed twice: products are added to what is there
};

/// What the blocks of a sum of products are chosen by.
struct BlockNeeds {
  Block most;                ///< rows and panels of all of it
  unsigned accumulators = 1; ///< registers that a row of a panel takes
  std::optional<Block> given = std::nullopt;
  std::optional<TileNeeds> tiles = std::nullopt; ///< else they are in registers of vectors
  bool keepsWeights = false; ///< those of a row stay in registers, beside what the bytes are made of

  Block within(Block block) const;
  int64_t registersOf(Block block) const; ///< 1 where the block is the least
  int64_t mostRegisters(const Features &features) const;
  Block best(const Features &features) const; ///< the given one, or that of the least time
};

/// The blocks that the registers hold, those of the least time first.
llvm::SmallVector<Block> blocksByTime(const BlockNeeds &needs, const Features &features);

} // namespace daedalus::cpu

#endif
