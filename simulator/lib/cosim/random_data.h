// The bytes that random programs work on.
#pragma once

#include "daedalus/support/span.h"

#include <cstdint>

namespace daedalus::cosim {

/// Random bytes; one block of 64 in four consists of the extremes of int8 and of numbers next to zero.
void fillRandomly(Span<uint8_t> bytes, uint64_t seed);

/// Lanes of PARAM for requant: sound ones, ones whose products end in halves, and ones at and past the limits
/// of their fields.
void fillParameters(Span<uint8_t> bytes, uint64_t seed);

} // namespace daedalus::cosim
