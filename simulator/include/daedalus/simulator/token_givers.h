// Which instruction gave each token that another one took.
#pragma once

#include "daedalus/simulator/profile.h"

#include <array>
#include <vector>

namespace daedalus::sim {

/// By taker and module of the giver; NoInstruction where it waits for none of that module. Tokens of a pair
/// of modules are counted, so the n-th that is taken is the n-th that was given (docs/timing.md R9, R10).
using TokenGivers = std::vector<std::array<uint32_t, isa::ModuleCount>>;

TokenGivers tokenGivers(Span<const isa::Instruction> instructions);

} // namespace daedalus::sim
