// See PlanTrials.h.
#include "PlanSearch/PlanTrials.h"

#include "PlanSearch/Streams.h"
#include "Report/Certificate.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"
#include "daedalus/runtime/bound.h"

namespace daedalus::plansearch {

Result<Compiled> PlanTrials::compileWithSpaces(const isa::Machine &other) {
  TargetSettings changed = settings;
  changed.of<accelerator::Settings>().machine = other;
  changed.of<accelerator::Settings>().keepsSpaces = true;
  return kernels.compile(changed);
}

Result<Planned> PlanTrials::plan() {
  const Result<Compiled> compiled = compileWithSpaces(machine);
  if (!compiled)
    return error(compiled.error());
  Planned planned{accelerator::spacesOf(*compiled->states), 0, runtime::boundOf(compiled->package, machine)};
  if (planned.spaces.empty())
    return planned;
  const Result<uint64_t> cycles =
      report::cyclesOf(compiled->package, compiled->package.functions.front(), machine);
  if (!cycles)
    return error(cycles.error());
  planned.cycles = *cycles;
  return planned;
}

std::vector<TunedStream> PlanTrials::plansFor(const isa::Machine &other) {
  std::vector<TunedStream> plans;
  if (const Result<Compiled> compiled = compileWithSpaces(other))
    for (const StreamSpace &space : accelerator::spacesOf(*compiled->states))
      plans.push_back(space.planned);
  return plans;
}

TargetSettings PlanTrials::settingsWith(std::vector<TunedStream> streams) const {
  TargetSettings with = settings;
  with.of<accelerator::Settings>().tuned =
      std::make_shared<accelerator::Tuned>(accelerator::Tuned{std::move(streams), {}});
  return with;
}

std::optional<uint64_t> PlanTrials::cyclesOf(const std::vector<TunedStream> &streams) {
  size_t tuned = 0;
  for (const TunedStream &stream : streams)
    tuned += kernelsOf(stream);
  return cyclesOf(kernels.compile(settingsWith(streams)), tuned);
}

std::optional<uint64_t> PlanTrials::cyclesOf(const KernelCalls &calls, const TunedStream &stream) {
  return cyclesOf(kernels.compilePart(calls, settingsWith({stream})), kernelsOf(stream));
}

std::optional<uint64_t> PlanTrials::cyclesOf(const Result<Compiled> &compiled, size_t tunedKernels) const {
  if (!compiled || accelerator::tunedKernelsOf(*compiled->states) != tunedKernels)
    return std::nullopt;
  const Result<uint64_t> cycles =
      report::cyclesOf(compiled->package, compiled->package.functions.front(), machine);
  return cycles ? std::optional<uint64_t>(*cycles) : std::nullopt;
}

} // namespace daedalus::plansearch
