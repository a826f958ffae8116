// Nearly always both have the same runs with the same bytes. Otherwise bytes are sorted by address, each
// address keeping its order in time, and compared one by one.
#include "cosim/compare_writes.h"

#include <algorithm>
#include <tuple>

namespace daedalus::cosim {
namespace {

struct Byte {
  isa::Scope scope;
  uint64_t address;
  size_t at; ///< in the side's bytes
};

bool isBefore(const Byte &x, const Byte &y) {
  return std::tie(x.scope, x.address) < std::tie(y.scope, y.address);
}

std::vector<Byte> sortedBytes(const Writes &writes) {
  std::vector<Byte> all;
  all.reserve(writes.bytes.size());
  for (const Writes::Run &run : writes.runs)
    for (size_t i = 0; i < run.count; ++i)
      all.push_back({run.scope, run.address + i, run.first + i});
  std::stable_sort(all.begin(), all.end(), isBefore);
  return all;
}

bool areEqual(const Writes &a, const Writes &b) {
  return a.bytes == b.bytes && std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                                          [](const Writes::Run &x, const Writes::Run &y) {
                                            return x.scope == y.scope && x.address == y.address &&
                                                   x.count == y.count;
                                          });
}

} // namespace

std::optional<WriteDifference> compareWrites(const Writes &a, const Writes &b) {
  if (areEqual(a, b))
    return std::nullopt;
  const std::vector<Byte> x = sortedBytes(a), y = sortedBytes(b);
  std::optional<WriteDifference> first;
  for (size_t i = 0, j = 0; i < x.size() || j < y.size();) {
    const bool inX = i < x.size() && (j == y.size() || !isBefore(y[j], x[i]));
    const bool inY = j < y.size() && (i == x.size() || !isBefore(x[i], y[j]));
    if (!(inX && inY && a.bytes[x[i].at] == b.bytes[y[j].at])) {
      const Byte &byte = inX ? x[i] : y[j];
      WriteDifference found{byte.scope, byte.address, 0, {}};
      if (inX) {
        found.at[0] = x[i].at;
        found.cycle = a.cycleOf(x[i].at);
      }
      if (inY) {
        found.at[1] = y[j].at;
        found.cycle = std::max(found.cycle, b.cycleOf(y[j].at)); // the one that knows more than the start
      }
      if (!first || found.cycle < first->cycle)
        first = found;
    }
    i += inX;
    j += inY;
  }
  return first;
}

} // namespace daedalus::cosim
