// Plans of the accelerator in the database: by the kernels of their streams, and the machine with its memory.
#pragma once

#include "PlanSearch/TuneDatabase.h"
#include "daedalus/Target/Accelerator/Tuned.h"
#include "daedalus/isa/machine.h"

namespace daedalus::plansearch {

/// Plans for this machine and this compiler: whole streams, and their groups, the fewest cycles first.
Result<accelerator::Tuned> readPlans(const TuneDatabase &database, const isa::Machine &machine);
/// Those of other machines and other versions, those with the fewest changed keys first.
Result<accelerator::Tuned> readOtherPlans(const TuneDatabase &database, const isa::Machine &machine);
/// What is kept of a stream.
TunedRow rowOf(const isa::Machine &machine, const accelerator::TunedStream &stream, uint64_t plannedCycles,
               uint64_t tunedCycles);

} // namespace daedalus::plansearch
