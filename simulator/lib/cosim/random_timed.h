// Cases whose outcome depends on the cycle: several faults at once, token counters at their most. Engines
// with cycles agree on them; the order of the program does not tell.
#pragma once

#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// Fills the program, the base registers' limits and what must not be in `words` of such a case. Latencies
/// and the places in DRAM are drawn by the caller: before, and behind it.
/// `memory.errorAddress` counts from the base register that is returned on, or from the program.
std::optional<unsigned> drawTimed(Case &test, const isa::Machine &machine, Random &random);

/// One of them: what has to meet in one cycle.
std::optional<unsigned> drawMeeting(Case &test, const isa::Machine &machine, Random &random);

} // namespace daedalus::cosim
