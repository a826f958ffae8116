// Duration, first row outside and results of a GEMM; all three are looked up elsewhere.
#include "systemc/gemm.h"

#include "common/scratch_range.h"
#include "daedalus/isa/timing.h"
#include "functional/instructions.h"
#include "kernels/kernels.h"

namespace daedalus::sim::systemc {

Compute::Work Gemm::workOf(const isa::Instruction &instruction) const {
  const auto *gemm = ownOf<isa::Gemm>(instruction);
  if (!gemm)
    return {};
  return {isa::gemmDuration(*gemm, *run.machine), firstRowOutside(*gemm, *run.machine).value_or(Never)};
}

std::optional<Fault> Gemm::execute(const isa::Instruction &instruction) {
  const auto *gemm = ownOf<isa::Gemm>(instruction);
  if (!gemm || executeFast(*gemm))
    return std::nullopt;
  return functional::execute(*gemm, *run.core);
}

} // namespace daedalus::sim::systemc
