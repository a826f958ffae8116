// Where all segments of a load lie, by its fields, without visiting them.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <cstdint>

namespace daedalus::sim {

/// DRAM bytes from the base register on, an empty range where there are no data, and byte addresses in the
/// scope. Every segment lies in them; bytes between segments, and of loads with fill some around them, may
/// lie in them too.
struct LoadBounds {
  int64_t dramBegin = 0, dramEnd = 0;
  int64_t dstBegin = 0, dstEnd = 0;
};
LoadBounds boundsOf(const isa::Load &load, const isa::Machine &machine);

} // namespace daedalus::sim
