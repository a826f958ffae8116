// Where an instruction first leaves its scratchpads.
#pragma once

#include "daedalus/isa/machine.h"

#include <optional>

namespace daedalus::sim {

/// The number of iterations before the first with a row outside its scope; none when all rows exist. Of a
/// GEMM with a window it is the number of columns, and an iteration counts as the column of its result (R28).
std::optional<uint64_t> firstRowOutside(const isa::Gemm &gemm, const isa::Machine &machine);
std::optional<uint64_t> firstRowOutside(const isa::Vector &vector, const isa::Machine &machine);

} // namespace daedalus::sim
