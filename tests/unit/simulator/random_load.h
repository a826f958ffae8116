// Loads with padding on all sides, short loops and strides of both signs.
#pragma once

#include "daedalus/isa/instructions.h"

#include <random>

namespace daedalus::testing {

inline int between(std::mt19937 &random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Diagonal some of the time, where it may be.
inline isa::Load randomLoad(std::mt19937 &random, uint16_t runBytes, bool mayBeDiagonal) {
  const auto draw = [&](int least, int most) { return between(random, least, most); };
  isa::Load load;
  load.offset = static_cast<uint32_t>(draw(0, 3000));
  load.dst = static_cast<uint32_t>(draw(0, 3000));
  load.runBytes = runBytes;
  load.unbounded = draw(0, 2) == 0;
  load.diagonal = mayBeDiagonal && draw(0, 4) == 0;
  load.originY = static_cast<int16_t>(draw(-6, 6));
  load.originX = static_cast<int16_t>(draw(-300, 300));
  load.extentY = static_cast<uint16_t>(draw(0, 8));
  load.extentX = static_cast<uint16_t>(draw(0, 300));
  for (isa::LoadLoop &loop : load.loops)
    loop = {static_cast<uint16_t>(draw(1, 5)), draw(-150, 150), draw(-150, 150)};
  return load;
}

} // namespace daedalus::testing
