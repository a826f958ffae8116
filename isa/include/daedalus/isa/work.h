// What proofs cost. Work is counted where it is done, in units of about 16 ns on the machine of
// docs/verification.md, so that what a program may cost is a number that does not depend on the host.
#pragma once

#include <cstdint>

namespace daedalus::isa {

/// Ranges made or compared: one unit each. A range looked up in a map of bytes of DRAM:
inline constexpr uint64_t WorkOfLookup = 8;
/// Rows of which a LOAD writes a part: a range each.
inline constexpr uint64_t WorkOfPart = 4;
/// Cheaper things share a unit.
inline constexpr uint64_t SlicesOfUnit = 16, IterationsOfUnit = 2;

} // namespace daedalus::isa
