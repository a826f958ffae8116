// Programs with one thing changed: an operation, a constant, a map, a pad, an iterator's type, a rounding, an
// operand, an initial value or what a body yields.
#pragma once

#include <cstdint>
#include <string>

namespace daedalus::testing {

struct NearMiss {
  std::string text, what; ///< what: "'muli' for 'addi' at byte 120"
};

/// The text with one seeded change, which may make it no program.
NearMiss nearMissOf(const std::string &text, uint64_t seed);

} // namespace daedalus::testing
