#include "Report/Profile/LiveBytes.h"

namespace daedalus::report {

void LiveBytes::write(isa::Range bytes, uint64_t start) {
  std::vector<std::pair<isa::Range, uint64_t>> later; // counted beyond `start`: a reader is still at work
  live.forEach(bytes, [&](isa::Range part, uint64_t from) {
    if (from > start)
      later.push_back({part, from});
  });
  live.assign(bytes, start);
  for (const auto &[part, from] : later)
    live.assign(part, from);
}

void LiveBytes::read(isa::Range bytes, uint64_t behind) {
  live.update(bytes, [&](isa::Range part, uint64_t &from) {
    if (from >= behind)
      return;
    changes.push_back({from, part.end - part.begin});
    changes.push_back({behind, part.begin - part.end});
    from = behind;
  });
}

std::vector<std::pair<uint64_t, int64_t>> LiveBytes::takeChanges() {
  std::sort(changes.begin(), changes.end());
  return std::move(changes);
}

} // namespace daedalus::report
