#include "Report/Profile/LiveBytes.h"

#include <algorithm>
#include <iterator>

namespace daedalus::report {

/// No piece has bytes on both sides.
void LiveBytes::splitAt(int64_t byte) {
  auto at = pieces.lower_bound(byte);
  if (at == pieces.begin() || std::prev(at)->second.end <= byte)
    return;
  Piece &first = std::prev(at)->second;
  pieces.emplace_hint(at, byte, first);
  first.end = byte;
}

void LiveBytes::write(isa::Range bytes, uint64_t start) {
  if (bytes.begin >= bytes.end)
    return;
  splitAt(bytes.begin);
  splitAt(bytes.end);
  auto at = pieces.lower_bound(bytes.begin);
  std::vector<std::pair<int64_t, Piece>> later; // what is counted beyond `start`: its reader is at work
  for (; at != pieces.end() && at->first < bytes.end; at = pieces.erase(at))
    if (at->second.from > start)
      later.push_back(*at);
  pieces.emplace_hint(at, bytes.begin, Piece{bytes.end, start});
  for (const auto &[begin, piece] : later) {
    splitAt(begin);
    splitAt(piece.end);
    pieces.find(begin)->second.from = piece.from;
  }
}

void LiveBytes::read(isa::Range bytes, uint64_t behind) {
  splitAt(bytes.begin);
  splitAt(bytes.end);
  for (auto at = pieces.lower_bound(bytes.begin); at != pieces.end() && at->first < bytes.end; ++at) {
    auto &[end, from] = at->second;
    if (from >= behind)
      continue;
    changes.push_back({from, end - at->first});
    changes.push_back({behind, at->first - end});
    from = behind;
  }
}

std::vector<std::pair<uint64_t, int64_t>> LiveBytes::takeChanges() {
  std::sort(changes.begin(), changes.end());
  return std::move(changes);
}

} // namespace daedalus::report
