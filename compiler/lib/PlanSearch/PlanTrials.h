// Exact cycles of plans: a model, or some calls of it, is compiled with tuned plans and simulated without
// data.
#pragma once

#include "PlanSearch/SpanSpace.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/machine.h"

namespace daedalus::plansearch {

/// What the planner makes of a model.
struct Planned {
  std::vector<StreamSpace> spaces; ///< of its streams; without these there is nothing to try
  uint64_t cycles = 0;             ///< of a call of the model's first function
  uint64_t bound = 0;              ///< the least cycles of any plan (docs/bounds.md)
};

class PlanTrials {
public:
  PlanTrials(ModelKernels &kernels, TargetSettings settings, const isa::Machine &machine)
      : kernels(kernels), settings(std::move(settings)), machine(machine) {}

  /// Errors are those of compileModel.
  Result<Planned> plan();
  /// The plans of the model's streams for a machine of the same core.
  std::vector<TunedStream> plansFor(const isa::Machine &other);

  /// Cycles with these plans of all streams; nothing where a kernel cannot have its schedule.
  std::optional<uint64_t> cyclesOf(const std::vector<TunedStream> &streams);
  /// Of these calls alone, which are one stream.
  std::optional<uint64_t> cyclesOf(const KernelCalls &calls, const TunedStream &stream);

private:
  TargetSettings settingsWith(std::vector<TunedStream> streams) const;
  Result<Compiled> compileWithSpaces(const isa::Machine &other);
  std::optional<uint64_t> cyclesOf(const Result<Compiled> &compiled, size_t tunedKernels) const;

  ModelKernels &kernels;
  const TargetSettings settings;
  const isa::Machine &machine;
};

} // namespace daedalus::plansearch
