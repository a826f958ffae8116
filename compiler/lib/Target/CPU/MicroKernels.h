// Sums of products as loops around blocks that stay in registers.

#ifndef DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H
#define DAEDALUS_LIB_TARGET_CPU_MICROKERNELS_H

#include "Features.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <optional>

namespace daedalus::cpu {

/// Rows of the output, and panels of columns, that are computed at once.
struct Block {
  int64_t rows = 1, panels = 1;
};

/// Of functions: rows and panels of the blocks of their sums of products, as far as these have so many. Else
/// BlockNeeds says it.
constexpr llvm::StringLiteral BlockAttribute = "daedalus.block";

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

/// Those of a function on buffers that lowerContractions replaces.
llvm::SmallVector<BlockNeeds> blockNeedsOf(mlir::func::FuncOp function, const Features &features);

/// Replaces the sums of products on buffers of a kernel by loops on vectors; leaves those that have none.
void lowerContractions(mlir::func::FuncOp kernel, const Features &features);

} // namespace daedalus::cpu

#endif
