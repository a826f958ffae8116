// See Ring.h.

#include "daedalus/Dialect/Dae/Transforms/Ring.h"

#include <algorithm>

namespace daedalus::dae {

Ring::Ring(isa::Scope scope, const isa::Machine &machine)
    : rows(machine.rows(scope)), granule(scope == isa::Scope::Acc ? rows / machine.banks(scope) : 1) {}

int64_t Ring::whole(int64_t size) const {
  return (size + granule - 1) / granule * granule;
}

int64_t Ring::place(int64_t size, int64_t position) {
  size = whole(size);
  live.erase(
      std::remove_if(live.begin(), live.end(), [&](const Held &held) { return held.lastUse < position; }),
      live.end());
  for (int64_t start : {next, int64_t(0)}) {
    const int64_t row = firstFit(start, size);
    if (row < 0)
      continue;
    next = row + size;
    return row;
  }
  return -1;
}

void Ring::hold(int64_t row, int64_t size, int64_t lastUse) {
  live.push_back({row, row + whole(size), lastUse});
}

int64_t Ring::firstFit(int64_t start, int64_t size) const {
  for (int64_t row = start; row + size <= rows;) {
    auto hit = std::find_if(live.begin(), live.end(),
                            [&](const Held &held) { return held.begin < row + size && row < held.end; });
    if (hit == live.end())
      return row;
    row = hit->end;
  }
  return -1;
}

} // namespace daedalus::dae
