#include "Order.h"

#include <algorithm>

namespace daedalus::cuda {

void Order::beginLaunch() {
  launchBegin = next;
  blocks.clear();
}

void Order::beginBlock(std::array<uint32_t, 3> index, unsigned warps) {
  blockBegin = next;
  warpCount = warps;
  warpOf.clear();
  blocks.emplace_back(next, index);
  for (unsigned warp = 0; warp < warps; ++warp) {
    known[warp].fill(blockBegin);
    begin(warp);
  }
}

void Order::begin(unsigned warp) {
  now[warp] = known[warp][warp] = next++;
  warpOf.push_back(static_cast<uint8_t>(warp));
}

bool Order::areBefore(Stamp last, uint32_t warps, unsigned warp) const {
  const uint32_t interval = last >> 5;
  if (interval < blockBegin)
    return interval < launchBegin;
  for (uint32_t rest = warps; rest; rest &= rest - 1)
    if (interval >= known[warp][__builtin_ctz(rest)])
      return false;
  return true;
}

void Order::synchronizeWarps(uint32_t warps) {
  std::array<uint32_t, 32> joined = {};
  for (uint32_t rest = warps; rest; rest &= rest - 1) {
    const unsigned warp = __builtin_ctz(rest);
    begin(warp);
    for (unsigned other = 0; other < warpCount; ++other)
      joined[other] = std::max(joined[other], known[warp][other]);
  }
  for (uint32_t rest = warps; rest; rest &= rest - 1)
    known[__builtin_ctz(rest)] = joined;
}

std::array<uint32_t, 3> Order::blockOf(Stamp stamp) const {
  const auto behind = std::upper_bound(blocks.begin(), blocks.end(), stamp >> 5,
                                       [](uint32_t at, const auto &block) { return at < block.first; });
  return std::prev(behind)->second;
}

unsigned Order::threadOf(Stamp stamp) const {
  return warpOf[(stamp >> 5) - blockBegin] * warpSize + (stamp & 31);
}

} // namespace daedalus::cuda
