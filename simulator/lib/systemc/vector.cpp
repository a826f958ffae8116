// Duration, first row outside and results of a VECTOR; all three are looked up elsewhere.
#include "systemc/vector.h"

#include "common/scratch_range.h"
#include "daedalus/isa/timing.h"
#include "functional/instructions.h"
#include "kernels/kernels.h"

namespace daedalus::sim::systemc {

Compute::Work Vector::workOf(const isa::Instruction &instruction) const {
  const auto *vector = ownOf<isa::Vector>(instruction);
  if (!vector)
    return {};
  const auto outside = firstRowOutside(*vector, *run.machine);
  return {isa::vectorDuration(*vector, *run.machine),
          outside ? *outside * isa::vectorCyclesPerRow(*vector) : Never};
}

std::optional<Fault> Vector::execute(const isa::Instruction &instruction) {
  const auto *vector = ownOf<isa::Vector>(instruction);
  if (!vector || executeFast(*vector))
    return std::nullopt;
  return functional::execute(*vector, *run.core);
}

} // namespace daedalus::sim::systemc
