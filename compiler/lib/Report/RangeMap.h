// Values of integers (bytes of a memory), kept by ranges of one value.
#pragma once

#include "daedalus/isa/footprint.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace daedalus::report {

template <class Value> class RangeMap {
public:
  /// Every integer of the range has this value from now on.
  void assign(isa::Range range, Value value) {
    if (range.begin >= range.end)
      return;
    splitAt(range.begin);
    splitAt(range.end);
    pieces.erase(pieces.lower_bound(range.begin), pieces.lower_bound(range.end));
    pieces.emplace(range.begin, Piece{range.end, value});
  }

  /// Calls f(range, value) for the parts of `range` that have a value, in order.
  template <class F> void forEach(isa::Range range, F &&f) const {
    auto at = pieces.upper_bound(range.begin);
    if (at != pieces.begin() && std::prev(at)->second.end > range.begin)
      --at;
    for (; at != pieces.end() && at->first < range.end; ++at)
      f(isa::Range{std::max(at->first, range.begin), std::min(at->second.end, range.end)}, at->second.value);
  }

  /// The same with values that f may change.
  template <class F> void update(isa::Range range, F &&f) {
    splitAt(range.begin);
    splitAt(range.end);
    for (auto at = pieces.lower_bound(range.begin); at != pieces.end() && at->first < range.end; ++at)
      f(isa::Range{at->first, at->second.end}, at->second.value);
  }

private:
  struct Piece {
    int64_t end;
    Value value;
  };

  /// No piece has integers on both sides.
  void splitAt(int64_t place) {
    const auto next = pieces.lower_bound(place);
    if (next == pieces.begin() || std::prev(next)->second.end <= place)
      return;
    Piece &first = std::prev(next)->second;
    pieces.emplace_hint(next, place, first);
    first.end = place;
  }

  std::map<int64_t, Piece> pieces; // by their first integers; disjoint
};

} // namespace daedalus::report
