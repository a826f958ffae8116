// What is known to have ended when an instruction starts.
#pragma once

#include "daedalus/isa/dependence.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace daedalus::isa {

struct VectorClock {
  std::array<int64_t, Modules> known{-1, -1, -1,
                                     -1}; // by module: index of its last instruction known to have ended

  void merge(const VectorClock &other) {
    for (unsigned m = 0; m < Modules; ++m)
      known[m] = std::max(known[m], other.known[m]);
  }

  VectorClock withEnd(unsigned module, int64_t index) const {
    VectorClock clock = *this;
    clock.known[module] = index;
    return clock;
  }
};

} // namespace daedalus::isa
