// What the host does while a program runs, in the same cycle on both sides.
#pragma once

#include "cosim/lockstep.h"

namespace daedalus::cosim {

/// Advances both to each access of the case in turn and does it on both. The first register that reads
/// differently; the engines' names and the text are the caller's to add. `stop` is the cycle of the program's
/// stop, where the case counts from it.
std::optional<Divergence> performAccesses(Lockstep &lockstep, const std::array<sim::Device *, 2> &devices,
                                          const Case &test, uint64_t stop);

} // namespace daedalus::cosim
