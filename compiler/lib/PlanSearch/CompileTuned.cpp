// See CompileTuned.h.
#include "PlanSearch/CompileTuned.h"

#include "PlanSearch/TuneDatabase.h"
#include "Report/Certificate.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"

namespace daedalus::plansearch {

Result<std::shared_ptr<const accelerator::Tuned>> tunedPlans(const std::string &database,
                                                             const isa::Machine &machine) {
  const Result<TuneDatabase> file = TuneDatabase::open(database, /*mustExist=*/true);
  if (!file)
    return error(file.error());
  Result<accelerator::Tuned> plans = file->read(machine);
  if (!plans)
    return error(plans.error());
  return std::make_shared<const accelerator::Tuned>(std::move(*plans));
}

TargetSettings withPlans(TargetSettings settings, std::shared_ptr<const accelerator::Tuned> plans) {
  settings.of<accelerator::Settings>().tuned = std::move(plans);
  return settings;
}

uint64_t tunedKernels(const Compiled &compiled) {
  return accelerator::tunedKernelsOf(*compiled.states);
}

Result<Compiled> notWorseThanPlanned(Compiled tuned, const std::string &model, const CompileOptions &options,
                                     const isa::Machine &machine) {
  CompileOptions planner = options;
  planner.settings = withPlans(options.settings, nullptr);
  Result<Compiled> planned = compileModel(model, planner);
  if (!planned)
    return planned;
  const auto cyclesOf = [&](const Compiled &compiled) {
    return report::cyclesOf(compiled.package, compiled.package.functions.front(), machine);
  };
  const Result<uint64_t> before = cyclesOf(*planned), after = cyclesOf(tuned);
  if (!before || !after)
    return error(before ? after.error() : before.error());
  if (*before < *after)
    return planned;
  return tuned;
}

} // namespace daedalus::plansearch
