// See CompileTuned.h.
#include "PlanSearch/CompileTuned.h"

#include "PlanSearch/TunedPlans.h"
#include "PlanSearch/TunedSchedules.h"
#include "Report/Certificate.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"

namespace daedalus::plansearch {

Result<CompileOptions> withTuned(const std::string &model, CompileOptions options,
                                 const std::string &database, const isa::Machine &machine, unsigned threads) {
  const Result<TuneDatabase> file = TuneDatabase::open(database, /*mustExist=*/true);
  if (!file)
    return error(file.error());
  Result<accelerator::Tuned> plans = readPlans(*file, machine);
  if (!plans)
    return error(plans.error());
  const Result<bool> has = hasSchedules(*file);
  if (!has)
    return error(has.error());
  if (*has) {
    CompileOptions silent = options; // of what is compiled to know the kernels, nothing is shown
    silent.configure = nullptr;
    const Result<std::vector<ScheduledKernel>> kernels = scheduledKernels(model, silent, threads);
    if (!kernels)
      return error(kernels.error());
    Result<std::vector<ScheduleEntry>> schedules = readSchedules(*file, *kernels);
    if (!schedules)
      return error(schedules.error());
    options.tuned = std::move(*schedules), options.tunedFrom = database;
  }
  options.settings.of<accelerator::Settings>().tuned =
      std::make_shared<const accelerator::Tuned>(std::move(*plans));
  return options;
}

uint64_t tunedKernels(const Compiled &compiled, const CompileOptions &options) {
  return accelerator::tunedKernelsOf(*compiled.states) + options.tuned.size();
}

Result<std::string> whyNothing(const std::string &database, const isa::Machine &machine, unsigned threads) {
  const Result<TuneDatabase> file = TuneDatabase::open(database, /*mustExist=*/true);
  if (!file)
    return error(file.error());
  const Result<std::string> other = file->otherVersion();
  if (!other)
    return error(other.error());
  if (!other->empty())
    return "'" + database + "' is of Daedalus " + *other + ", and this is Daedalus " + ownVersion() +
           ", whose cycles and kernels may be others; daedalus tune begins with what is there";
  return "'" + database + "' has nothing for this compilation: no plan of its kernels on machine '" +
         machine.name + "', and no schedule of its kernels on this host with " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads") + "; daedalus tune searches for them";
}

Result<Compiled> notWorseThanPlanned(Compiled tuned, const std::string &model, const CompileOptions &options,
                                     const isa::Machine &machine) {
  if (accelerator::tunedKernelsOf(*tuned.states) == 0)
    return tuned;
  CompileOptions planner = options;
  planner.settings.of<accelerator::Settings>().tuned = nullptr;
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
