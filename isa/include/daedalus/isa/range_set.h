// A set of integers (bytes of a memory) as disjoint ranges that grows: adding costs, over all calls, a
// logarithm of the ranges added.
#pragma once

#include "daedalus/isa/footprint.h"

#include <algorithm>
#include <map>
#include <optional>

namespace daedalus::isa {

class RangeSet {
public:
  void add(Range range) {
    if (range.begin >= range.end)
      return;
    auto at = firstEndingFrom(range.begin);
    while (at != ranges.end() && at->first <= range.end) { // what it touches becomes part of it
      range = {std::min(range.begin, at->first), std::max(range.end, at->second)};
      at = ranges.erase(at);
    }
    ranges.emplace_hint(at, range.begin, range.end);
  }
  void add(const RangeSet &other) {
    for (const auto &[begin, end] : other.ranges)
      add({begin, end});
  }

  /// Calls f(range) for every part of `range` that is not in the set.
  template <class F> void forEachMissing(Range range, F &&f) const {
    int64_t from = range.begin;
    for (auto at = firstEndingFrom(from); at != ranges.end() && at->first < range.end; ++at) {
      if (at->first > from)
        f(Range{from, at->first});
      from = std::max(from, at->second);
    }
    if (from < range.end)
      f(Range{from, range.end});
  }

  /// The first part of `range` that is not in the set.
  std::optional<Range> missing(Range range) const {
    const auto at = firstEndingFrom(range.begin);
    const int64_t from = at != ranges.end() && at->first <= range.begin ? at->second : range.begin;
    if (range.begin >= range.end || from >= range.end)
      return std::nullopt;
    const auto next = ranges.upper_bound(from); // ranges never touch, so `from` is in none
    return Range{from, next == ranges.end() ? range.end : std::min(range.end, next->first)};
  }

  /// The first part of `range` that is in the set.
  std::optional<Range> common(Range range) const {
    const auto at = ranges.upper_bound(range.begin);
    if (at != ranges.begin() && std::prev(at)->second > range.begin && range.begin < range.end)
      return Range{range.begin, std::min(range.end, std::prev(at)->second)};
    if (at == ranges.end() || at->first >= range.end)
      return std::nullopt;
    return Range{at->first, std::min(range.end, at->second)};
  }

  bool empty() const { return ranges.empty(); }
  size_t size() const { return ranges.size(); }                                       ///< ranges
  std::map<int64_t, int64_t>::const_iterator begin() const { return ranges.begin(); } ///< of (begin, end)
  std::map<int64_t, int64_t>::const_iterator end() const { return ranges.end(); }

private:
  /// The first range whose end is at `place` or behind it.
  std::map<int64_t, int64_t>::const_iterator firstEndingFrom(int64_t place) const {
    auto at = ranges.upper_bound(place);
    return at != ranges.begin() && std::prev(at)->second >= place ? std::prev(at) : at;
  }

  std::map<int64_t, int64_t> ranges; // begin to end; disjoint and not adjacent
};

} // namespace daedalus::isa
