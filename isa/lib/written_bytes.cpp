// A byte a slice for those that are written as a whole, a mask of at most 64 bytes for the others: only LOAD
// writes parts of slices, and its slices have N bytes.
#include "daedalus/isa/written_bytes.h"

#include <algorithm>

namespace daedalus::isa {

WrittenBytes::WrittenBytes(const Machine &machine) : n(machine.n) {
  for (unsigned scope = 0; scope < ScopeCount; ++scope)
    scopes[scope].whole.resize(machine.slices(static_cast<Scope>(scope)));
}

std::optional<WrittenBytes::Missing> WrittenBytes::missing(const Footprint &footprint) const {
  for (const ScratchAccess &access : footprint.scratch)
    if (!access.write && !access.ownRows)
      if (const std::optional<Missing> found = missing(access))
        return found;
  return std::nullopt;
}

std::optional<WrittenBytes::Missing> WrittenBytes::missing(const ScratchAccess &access) const {
  const Slices &slices = scopes[static_cast<size_t>(access.scope)];
  for (const Range &range : access.slices) {
    const auto begin = slices.whole.begin();
    const auto found = std::find(begin + range.begin, begin + range.end, 0);
    if (found == begin + range.end)
      continue;
    const int64_t slice = found - begin;
    const auto partly = slices.partly.find(slice);
    const uint64_t mask = partly == slices.partly.end() ? 0 : partly->second;
    unsigned byte = 0;
    while (mask >> byte & 1)
      ++byte;
    return Missing{&access, slice, byte, mask == 0};
  }
  return std::nullopt;
}

void WrittenBytes::write(const Footprint &footprint) {
  for (const ScratchAccess &access : footprint.scratch) {
    if (!access.write)
      continue;
    Slices &slices = scopes[static_cast<size_t>(access.scope)];
    if (access.bytes.empty())
      for (const Range &range : access.slices)
        std::fill(slices.whole.begin() + range.begin, slices.whole.begin() + range.end, 1);
    for (const Range &range : access.bytes)
      writePart(slices, range);
  }
}

void WrittenBytes::writePart(Slices &slices, Range bytes) {
  const int64_t count = static_cast<int64_t>(slices.whole.size());
  bytes = {std::clamp<int64_t>(bytes.begin, 0, count * n), std::clamp<int64_t>(bytes.end, 0, count * n)};
  if (bytes.begin >= bytes.end)
    return;
  const int64_t first = bytes.begin / n, last = (bytes.end - 1) / n;
  writePart(slices, first, bytes.begin - first * n, first == last ? bytes.end - first * n : n);
  if (first == last)
    return;
  std::fill(slices.whole.begin() + first + 1, slices.whole.begin() + last, 1);
  writePart(slices, last, 0, bytes.end - last * n);
}

void WrittenBytes::writePart(Slices &slices, int64_t slice, int64_t begin, int64_t end) {
  uint8_t &whole = slices.whole[static_cast<size_t>(slice)];
  if (end - begin < n && !whole) {
    const uint64_t all = ~uint64_t(0) >> (64 - n), part = ~uint64_t(0) >> (64 - (end - begin)) << begin;
    uint64_t &mask = slices.partly[slice];
    mask |= part;
    if (mask != all)
      return;
  }
  if (!whole)
    slices.partly.erase(slice);
  whole = 1;
}

} // namespace daedalus::isa
