// The writes of one instruction on two devices.
#pragma once

#include "cosim/journal.h"

#include <optional>

namespace daedalus::cosim {

/// The first byte, by its cycle, of which the two have different values; an address that is written more than
/// once has a sequence of values. The order between addresses has no meaning.
struct WriteDifference {
  isa::Scope scope; ///< None: DRAM
  uint64_t address;
  uint64_t cycle;
  /// Where the byte is in `bytes` of each side; none: that side did not write it (again).
  std::array<std::optional<size_t>, 2> at;
};

std::optional<WriteDifference> compareWrites(const Writes &a, const Writes &b);

} // namespace daedalus::cosim
