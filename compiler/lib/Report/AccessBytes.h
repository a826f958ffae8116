// The bytes of a scratchpad that an instruction touches.
#pragma once

#include "daedalus/isa/footprint.h"

namespace daedalus::report {

/// By their offsets in the scratchpad; a LOAD may write to parts of slices.
inline std::vector<isa::Range> bytesOf(const isa::ScratchAccess &access, const isa::Machine &machine) {
  std::vector<isa::Range> bytes = access.bytes;
  if (bytes.empty())
    for (const isa::Range &slices : access.slices)
      bytes.push_back(
          {slices.begin * machine.sliceBytes(access.scope), slices.end * machine.sliceBytes(access.scope)});
  return bytes;
}

} // namespace daedalus::report
