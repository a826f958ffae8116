// See Ring.h.

#include "daedalus/Dialect/Dae/Transforms/Ring.h"

#include <algorithm>

namespace daedalus::dae {

int64_t rowsOwned(isa::Scope scope, int64_t rows, const isa::Machine &machine) {
  if (scope != isa::Scope::Acc)
    return rows;
  const int64_t bank = machine.rows(scope) / machine.banks(scope);
  return (rows + bank - 1) / bank * bank;
}

int64_t Ring::place(int64_t size) {
  for (int64_t start : {next, int64_t(0)}) {
    const int64_t row = firstFit(start, size);
    if (row < 0)
      continue;
    next = row + size;
    taken.push_back({row, next});
    return row;
  }
  return -1;
}

void Ring::release(int64_t row) {
  const auto found = std::find_if(taken.begin(), taken.end(), [&](const Taken &t) { return t.begin == row; });
  if (found == taken.end())
    return;
  *found = taken.back();
  taken.pop_back();
}

int64_t Ring::firstFit(int64_t start, int64_t size) const {
  for (int64_t row = start; row + size <= rows;) {
    auto hit = std::find_if(taken.begin(), taken.end(),
                            [&](const Taken &t) { return t.begin < row + size && row < t.end; });
    if (hit == taken.end())
      return row;
    row = hit->end;
  }
  return -1;
}

} // namespace daedalus::dae
