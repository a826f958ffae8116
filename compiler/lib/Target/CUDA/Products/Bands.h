// In which order blocks take the tiles of a product: rows of a band are the fastest, then columns, then
// bands, so that blocks that run at once read few lines of both factors, which the L2 keeps.

#ifndef DAEDALUS_LIB_TARGET_CUDA_BANDS_H
#define DAEDALUS_LIB_TARGET_CUDA_BANDS_H

#include <cstdint>

namespace daedalus::cuda {

struct TileOrder {
  int64_t down, across; ///< tiles of the product
  int64_t band;         ///< tiles of a band along the rows, a divisor of `down`

  int64_t blockOf(int64_t row, int64_t column) const {
    return (row / band * across + column) * band + row % band;
  }
};

/// Of a product of `down` by `across` tiles of `m` by `n` elements: the blocks that a GPU runs at once read
/// no more lines of A than of B.
inline TileOrder tileOrder(int64_t down, int64_t across, int64_t m, int64_t n) {
  constexpr int64_t blocksAtOnce = 128; // 132 multiprocessors has an H100, 108 an A100
  TileOrder order{down, across, 1};
  while (across > 1 && down % (2 * order.band) == 0 && 2 * order.band * m <= blocksAtOnce / order.band * n)
    order.band *= 2;
  return order;
}

} // namespace daedalus::cuda

#endif
