// What a block of threads computes of a product, and how.

#ifndef DAEDALUS_LIB_TARGET_CUDA_TILE_H
#define DAEDALUS_LIB_TARGET_CUDA_TILE_H

#include "Product.h"

namespace daedalus::cuda {

struct Tile {
  int64_t m, n, k;        ///< of one stage
  int64_t warpsM, warpsN; ///< of a block
  int64_t stages;         ///< in shared memory at once

  int64_t threads() const { return 32 * warpsM * warpsN; }
};

/// The tile of a product: the largest one that leaves a GPU's multiprocessors enough blocks.
Tile tileFor(const Product &product);

} // namespace daedalus::cuda

#endif
