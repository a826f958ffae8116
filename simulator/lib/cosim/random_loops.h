// Counts and strides of random loops, for instructions of any module: the templates of InstructionDraw.
#pragma once

#include "cosim/random_instruction.h"

#include "daedalus/isa/timing.h"

#include <algorithm>
#include <cstdlib>

namespace daedalus::cosim {

/// Counts of loops: most are 1, some are large, and their product stays within `most`.
template <class Loops> void InstructionDraw::drawCounts(Loops &loops, uint64_t most) {
  for (auto &loop : loops)
    loop.count = random.chance(55) ? 1 : static_cast<uint16_t>(random.between(2, 9));
  if (random.chance(6)) {
    for (auto &loop : loops)
      loop.count = 1;
    auto &one = loops[static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1))];
    one.count = static_cast<uint16_t>(random.between(1, int64_t(most)));
  }
  while (isa::iterationsOf(loops) > most)
    loops[static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1))].count = 1;
}

/// Strides of one operand, and a place from which its units lie in [0, units), mostly inside one of the
/// windows.
template <class Loops, class Member>
int64_t InstructionDraw::place(Loops &loops, Member stride, int64_t reach, int64_t extent, int64_t units,
                               isa::Scope scope, int64_t grain) {
  const int64_t most = sizeof(loops[0].*stride) == 2 ? 0x7fff : 0x7fffff;
  const bool wide = random.chance(6); // from one end of the scope to the other
  int64_t low = 0, high = extent;
  for (auto &loop : loops) {
    int64_t value = random.chance(25) ? 0 : random.between(-reach, reach);
    if (loop.count > 1 && wide && random.chance(70))
      value = (random.chance(50) ? 1 : -1) * ((units - high + low) / (loop.count - 1));
    if (high - low + std::abs((loop.count - 1) * value) > units || std::abs(value * grain) > most)
      value = 0;
    (value < 0 ? low : high) += (loop.count - 1) * value;
    loop.*stride = static_cast<std::decay_t<decltype(loop.*stride)>>(
        loop.count == 1 ? unusedStride(most, grain) : value * grain);
  }
  const int64_t first = -low, last = units - high;
  const std::vector<Window> &places = windows[static_cast<unsigned>(scope)];
  const Window &window = places[random.chance(60) ? 0 : random.between(0, int64_t(places.size()) - 1)];
  const int64_t kind = random.between(0, 99), room = window.count - (high - low);
  const int64_t at = kind < 84   ? window.first - low + random.between(0, std::max<int64_t>(room, 0))
                     : kind < 90 ? last
                     : kind < 92 ? first
                                 : random.between(std::min(first, last), last);
  return std::clamp(at, std::min(first, last), last);
}

} // namespace daedalus::cosim
