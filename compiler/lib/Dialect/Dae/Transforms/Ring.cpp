// See Ring.h.

#include "daedalus/Dialect/Dae/Transforms/Ring.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace daedalus::dae {

RowsOwned rowsOwned(isa::Scope scope, int64_t rows, bool isWrittenByVector, const isa::Machine &machine) {
  if (scope != isa::Scope::Acc && !(scope == isa::Scope::Inp && isWrittenByVector))
    return {rows, 1};
  const int64_t bank = machine.rows(scope) / machine.banks(scope);
  return {static_cast<int64_t>(llvm::alignTo(rows, bank)), bank};
}

int64_t Ring::place(const RowsOwned &size) {
  for (int64_t start : {next, int64_t(0)}) {
    const int64_t row = firstFit(start, size);
    if (row < 0)
      continue;
    next = row + size.rows;
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

int64_t Ring::firstFit(int64_t start, const RowsOwned &size) const {
  const auto aligned = [&](int64_t row) { return static_cast<int64_t>(llvm::alignTo(row, size.alignment)); };
  for (int64_t row = aligned(start); row + size.rows <= rows;) {
    auto hit = std::find_if(taken.begin(), taken.end(),
                            [&](const Taken &t) { return t.begin < row + size.rows && row < t.end; });
    if (hit == taken.end())
      return row;
    row = aligned(hit->end);
  }
  return -1;
}

} // namespace daedalus::dae
