// Cycles of a run, counted from its START (R1).
#pragma once

#include <cstdint>

namespace daedalus::sim::systemc {

using Cycle = uint64_t;
constexpr Cycle Never = ~Cycle(0);
/// The cycle behind one that may be Never.
constexpr Cycle behind(Cycle at) {
  return at == Never ? Never : at + 1;
}

} // namespace daedalus::sim::systemc
