// Sweeps in the order of their strides, so that what becomes contiguous does so as early as possible.
#include "ranges.h"

#include <algorithm>
#include <cstdlib>

namespace daedalus::isa {
namespace {

constexpr size_t MostRanges = size_t(1) << 24;

/// One loop of positive stride over a set.
std::vector<Range> repeat(const std::vector<Range> &set, const Sweep &loop) {
  const Range bounds = boundsOf(set);
  const int64_t reach = (int64_t(loop.count) - 1) * loop.stride;
  const bool dense = set.size() == 1 && loop.stride <= bounds.end - bounds.begin;
  if (dense || set.size() * loop.count > MostRanges)
    return {{bounds.begin, bounds.end + reach}};
  std::vector<Range> result;
  result.reserve(set.size() * loop.count);
  for (uint32_t i = 0; i < loop.count; ++i)
    for (const Range &range : set)
      result.push_back({range.begin + i * loop.stride, range.end + i * loop.stride});
  normalize(result);
  return result;
}

} // namespace

void normalize(std::vector<Range> &set) {
  auto before = [](const Range &x, const Range &y) { return x.begin < y.begin; };
  if (!std::is_sorted(set.begin(), set.end(), before))
    std::sort(set.begin(), set.end(), before);
  size_t kept = 0;
  for (const Range &range : set) {
    if (range.begin >= range.end)
      continue;
    if (kept && range.begin <= set[kept - 1].end)
      set[kept - 1].end = std::max(set[kept - 1].end, range.end);
    else
      set[kept++] = range;
  }
  set.resize(kept);
}

Range boundsOf(const std::vector<Range> &set) {
  return set.empty() ? Range{} : Range{set.front().begin, set.back().end};
}

Range sweepBounds(Range bounds, const std::vector<Sweep> &loops) {
  for (const Sweep &loop : loops) {
    const int64_t reach = (int64_t(loop.count) - 1) * loop.stride;
    (reach < 0 ? bounds.begin : bounds.end) += reach;
  }
  return bounds;
}

std::vector<Range> sweep(std::vector<Range> set, std::vector<Sweep> loops) {
  if (set.empty())
    return set;
  int64_t shift = 0;
  for (Sweep &loop : loops) // from the lowest place up: strides become positive
    if (loop.stride < 0) {
      shift += (int64_t(loop.count) - 1) * loop.stride;
      loop.stride = -loop.stride;
    }
  for (Range &range : set)
    range = {range.begin + shift, range.end + shift};
  std::sort(loops.begin(), loops.end(), [](const Sweep &x, const Sweep &y) { return x.stride < y.stride; });
  for (const Sweep &loop : loops)
    if (loop.count > 1 && loop.stride != 0)
      set = repeat(set, loop);
  return set;
}

} // namespace daedalus::isa
