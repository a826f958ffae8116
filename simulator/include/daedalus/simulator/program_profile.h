// Where the cycles of a program go, whatever its data are.
#pragma once

#include "daedalus/simulator/interval.h"
#include "daedalus/simulator/profile.h"

namespace daedalus::sim {

/// Of the run that cyclesOf() counts: as many cycles. Errors are those of cyclesOf, and words that cannot be
/// decoded. Costs a run without results on the engine `systemc`.
Result<Profile> profileOf(const isa::Machine &machine, const PlacedProgram &program);

} // namespace daedalus::sim
