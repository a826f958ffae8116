// Sweeps in the order of their strides, so that what becomes contiguous does so as early as possible. A set
// whose copies interleave is doubled, not repeated: it never has more ranges than its span has elements.
#include "ranges.h"

#include <algorithm>
#include <cstdlib>

namespace daedalus::isa {
namespace {

std::vector<Range> shifted(const std::vector<Range> &set, int64_t by) {
  std::vector<Range> result;
  result.reserve(set.size());
  for (const Range &range : set)
    result.push_back({range.begin + by, range.end + by});
  return result;
}

/// Appends a range that begins no earlier than the last one.
void append(std::vector<Range> &set, Range range) {
  if (!set.empty() && range.begin <= set.back().end)
    set.back().end = std::max(set.back().end, range.end);
  else
    set.push_back(range);
}

std::vector<Range> unite(const std::vector<Range> &x, const std::vector<Range> &y) {
  std::vector<Range> result;
  result.reserve(x.size() + y.size());
  size_t i = 0, j = 0;
  while (i < x.size() || j < y.size())
    append(result, j == y.size() || (i < x.size() && x[i].begin <= y[j].begin) ? x[i++] : y[j++]);
  return result;
}

/// What one sweep handles, up to its limit.
class Work {
public:
  explicit Work(SweepCost &cost) : cost(cost) {}

  /// False where it becomes too much.
  bool spend(uint64_t ranges) {
    if (ranges > left)
      return false;
    left -= ranges;
    cost.work += ranges;
    return true;
  }

private:
  SweepCost &cost;
  uint64_t left = MostSweepWork;
};

/// Copies that lie behind each other.
std::vector<Range> repeatInOrder(const std::vector<Range> &set, const Sweep &loop) {
  std::vector<Range> result;
  result.reserve(set.size() * loop.count);
  for (uint32_t i = 0; i < loop.count; ++i)
    for (const Range &range : set)
      append(result, {range.begin + i * loop.stride, range.end + i * loop.stride});
  return result;
}

/// One loop of positive stride over a set; empty where that is too much work.
std::vector<Range> repeat(const std::vector<Range> &set, const Sweep &loop, Work &work) {
  const Range bounds = boundsOf(set);
  const int64_t reach = (int64_t(loop.count) - 1) * loop.stride, width = bounds.end - bounds.begin;
  if (set.size() == 1 && loop.stride <= width)
    return {{bounds.begin, bounds.end + reach}};
  if (loop.stride >= width)
    return work.spend(set.size() * loop.count) ? repeatInOrder(set, loop) : std::vector<Range>();
  std::vector<Range> result = set;
  for (uint32_t copies = 1; copies < loop.count;) {
    const uint32_t more = std::min(copies, loop.count - copies);
    if (!work.spend(2 * result.size()))
      return {};
    result = unite(result, shifted(result, more * loop.stride));
    copies += more;
  }
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

bool overlap(const std::vector<Range> &x, const std::vector<Range> &y) {
  for (size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i].begin < y[j].end && y[j].begin < x[i].end)
      return true;
    x[i].end <= y[j].begin ? ++i : ++j;
  }
  return false;
}

std::vector<Range> sweep(std::vector<Range> set, std::vector<Sweep> loops, SweepCost &cost) {
  if (set.empty())
    return set;
  const Range bounds = sweepBounds(boundsOf(set), loops);
  int64_t shift = 0;
  for (Sweep &loop : loops) // from the lowest place up: strides become positive
    if (loop.stride < 0) {
      shift += (int64_t(loop.count) - 1) * loop.stride;
      loop.stride = -loop.stride;
    }
  for (Range &range : set)
    range = {range.begin + shift, range.end + shift};
  std::sort(loops.begin(), loops.end(), [](const Sweep &x, const Sweep &y) { return x.stride < y.stride; });
  Work work(cost);
  for (const Sweep &loop : loops) {
    if (loop.count <= 1 || loop.stride == 0)
      continue;
    set = repeat(set, loop, work);
    if (set.empty()) {
      cost.exact = false;
      return {bounds};
    }
  }
  cost.work += set.size();
  return set;
}

} // namespace daedalus::isa
