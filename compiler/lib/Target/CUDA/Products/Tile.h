// How a product is computed: by one thread a sum, or by blocks of threads that each compute a tile.

#ifndef DAEDALUS_LIB_TARGET_CUDA_TILE_H
#define DAEDALUS_LIB_TARGET_CUDA_TILE_H

#include "Product.h"

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"

#include <string>

namespace daedalus::cuda {

/// Bytes of shared memory that a block can have (CUDA C++ Programming Guide, Compute Capabilities): what a
/// function declares, what every GPU from sm_80 on gives to who asks for it, and what those with warpgroups
/// do.
constexpr int64_t staticShared = 48 << 10, sharedOfBlock = 99 << 10, sharedOfWarpgroups = 227 << 10;

/// As cuda.product says it (Schedule.td).
struct Tile {
  Way way = Way::Threads;
  int64_t m = 0, n = 0, k = 0;    ///< of one stage
  int64_t warpsM = 2, warpsN = 4; ///< of a block; always so by FMA
  int64_t stages = 0;             ///< in shared memory at once

  bool operator==(const Tile &other) const;

  int64_t threads() const { return 32 * warpsM * warpsN; }
  int64_t bytesOfShared(const Product &product) const;
  int64_t blocks(const Product &product) const;
};

/// The tile of a product that should take the least time, by a model of a GPU (Tile.cpp).
Tile tileFor(const Product &product, const Architecture &architecture);

/// The tiles among which that one is chosen; some may be none that a product can have.
llvm::SmallVector<Tile> candidatesFor(const Product &product, const Architecture &architecture);

/// Why a product cannot be computed so, with what is expected; empty where it can.
std::string whyNot(const Product &product, const Tile &tile);

} // namespace daedalus::cuda

#endif
