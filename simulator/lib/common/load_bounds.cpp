// In x and y a load's data are a box, whatever its runs: x moves with the byte of a run and the inner loop, y
// with the middle loop, and bytes outside the extents are fill.
#include "common/load_bounds.h"

#include <algorithm>

namespace daedalus::sim {

LoadBounds boundsOf(const isa::Load &load, const isa::Machine &machine) {
  const int64_t run = load.runBytes, scale = load.diagonal ? machine.n : 1;
  LoadBounds bounds{load.offset, load.offset + run, load.dst, load.dst + scale * run};
  for (const isa::LoadLoop &loop : load.loops) {
    const int64_t last = int64_t(loop.count) - 1;
    (loop.dstStride < 0 ? bounds.dstBegin : bounds.dstEnd) += last * loop.dstStride;
  }
  std::array<int64_t, 3> first{}, last{};
  for (unsigned loop = 0; loop < 3; ++loop)
    last[loop] = int64_t(load.loops[loop].count) - 1;
  if (!load.unbounded) { // of the middle loop, the runs with data alone
    first[1] = std::max<int64_t>(0, -int64_t(load.originY));
    last[1] = std::min<int64_t>(last[1], int64_t(load.extentY) - 1 - load.originY);
    const int64_t step = last[2] * load.loops[2].dramStride;
    const int64_t least = load.originX + std::min<int64_t>(0, step);
    const int64_t end = load.originX + std::max<int64_t>(0, step) + run;
    if (first[1] > last[1] || end <= 0 || least >= load.extentX)
      return bounds.dramEnd = bounds.dramBegin, bounds;
    bounds.dramBegin = int64_t(load.offset) + std::max<int64_t>(least, 0) - load.originX;
    bounds.dramEnd = int64_t(load.offset) + std::min<int64_t>(end, load.extentX) - load.originX;
    last[2] = 0; // its steps are in x
  }
  for (unsigned loop = 0; loop < 3; ++loop) {
    const int64_t stride = load.loops[loop].dramStride;
    bounds.dramBegin += std::min(first[loop] * stride, last[loop] * stride);
    bounds.dramEnd += std::max(first[loop] * stride, last[loop] * stride);
  }
  return bounds;
}

} // namespace daedalus::sim
