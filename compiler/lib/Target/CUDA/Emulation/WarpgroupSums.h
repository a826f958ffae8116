// The sums of a wgmma of one warp: 16 of the 64 rows.
#pragma once

#include "Warp.h"

namespace daedalus::cuda {

constexpr unsigned rowsOfWarp = 16;

/// Of A, and of the sums.
inline unsigned firstRowOf(const Warp &warp) {
  return warp.number() % warpsOfGroup * rowsOfWarp;
}

/// Products are exact; sums of floats are float32's, in the order of k. Values are of each slot the lanes'.
std::vector<uint64_t> sumsOf(const Warp &warp, const WarpgroupProduct &product, const PendingProduct &pending,
                             const std::vector<uint64_t> &before);

} // namespace daedalus::cuda
