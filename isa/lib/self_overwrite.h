// Whether an iteration of a VECTOR instruction reads, as a source, a row that an earlier iteration of the same
// instruction wrote: its pipeline would read the old value.
#pragma once

#include "daedalus/isa/instructions.h"

#include <cstdint>
#include <optional>

namespace daedalus::isa {

/// The first such row that operand 'a' or 'b' reads; nothing when there is none.
std::optional<int64_t> selfOverwrite(const Vector &vector, char operand);

} // namespace daedalus::isa
