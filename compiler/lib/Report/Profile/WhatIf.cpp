#include "Report/Profile/WhatIf.h"
#include "Report/Table.h"
#include "Tuning/Inputs.h"

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

constexpr uint64_t MostBurstBytes = 4096, MostQueued = 64; ///< isa.yaml: what the keys of machines allow

/// The cycles of the critical path in which a module was in a class.
class Path {
public:
  explicit Path(const ProfiledRun &run) {
    for (const ProfileSums &sums : profileSums(run.result, run.package))
      for (size_t m = 0; m < counts.size(); ++m)
        for (size_t c = 0; c < counts[m].size(); ++c)
          counts[m][c] += sums.path[m][c];
  }
  uint64_t of(CounterModule module, CounterClass what) const { return counts[size_t(module)][size_t(what)]; }

private:
  runtime::Counters counts{};
};

/// The same instructions on another machine, which has to have the same scratchpads.
Result<uint64_t> retimed(const ProfiledRun &run, const isa::Machine &machine) {
  package::Package package = run.package;
  package.machineName = machine.name;
  package.machineHash = machine.hash();
  runtime::SessionOptions options;
  options.engine = "systemc";
  options.timingOnly = true;
  options.verify = false; // they were proved, and no proof depends on what is changed here
  options.machine = machine;
  const auto session = runtime::Session::create(std::move(package), options);
  if (!session)
    return error(session.error());
  const package::Function &function = **(*session)->function(0);
  const auto again = (*session)->run(function.name, tuning::zeroInputs(function));
  return again ? Result<uint64_t>(again->cycles) : error(again.error());
}

/// What would change, and the machine that has it; without one `why` says why there is none.
struct Change {
  WhatIf whatIf;
  std::optional<isa::Machine> machine;
};

Change withoutLatency(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  machine.readLatency = machine.writeLatency = 1; // the least that a machine has
  const uint64_t saved = path.of(CounterModule::Load, CounterClass::Memory) +
                         path.of(CounterModule::Fetch, CounterClass::Memory);
  return {{"a memory that answers at once", "", run.result.cycles - saved, std::nullopt}, machine};
}

Change withTwiceTheBus(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  const char *change = "twice the bytes of a beat";
  if (2 * machine.busBytes > machine.n)
    return {
        {change, "a beat has at most the " + std::to_string(machine.n) + " bytes of a row", 0, std::nullopt},
        std::nullopt};
  machine.busBytes *= 2;
  if (machine.busBytes * machine.maxBurstBeats > MostBurstBytes)
    machine.maxBurstBeats /= 2;
  const uint64_t busy =
      path.of(CounterModule::Load, CounterClass::Busy) + path.of(CounterModule::Store, CounterClass::Busy);
  return {{change, "", run.result.cycles - busy / 2, std::nullopt}, machine};
}

Change withTwiceTheQueues(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  const char *change = "twice the depth of the queues";
  if (2 * machine.queueDepth > MostQueued)
    return {{change, "a queue has at most " + std::to_string(MostQueued) + " instructions", 0, std::nullopt},
            std::nullopt};
  machine.queueDepth *= 2;
  return {
      {change, "", run.result.cycles - path.of(CounterModule::Fetch, CounterClass::QueueFull), std::nullopt},
      machine};
}

} // namespace

Result<std::vector<WhatIf>> whatIfs(const ProfiledRun &run) {
  std::vector<WhatIf> all;
  if (run.result.profiles.empty())
    return all;
  const Path path(run);
  for (Change change : {withoutLatency(run, path, *run.machine), withTwiceTheBus(run, path, *run.machine),
                        withTwiceTheQueues(run, path, *run.machine)}) {
    if (change.machine) {
      const Result<uint64_t> cycles = retimed(run, *change.machine);
      if (!cycles)
        return error(cycles.error());
      change.whatIf.measured = *cycles;
    }
    all.push_back(std::move(change.whatIf));
  }
  return all;
}

std::string whatIfText(const ProfiledRun &run, const std::vector<WhatIf> &all) {
  Table table({"what if", ">cycles, estimated", ">measured", ">of the run's"});
  for (const WhatIf &whatIf : all)
    if (whatIf.measured)
      table.row({whatIf.change, grouped(whatIf.estimated), grouped(*whatIf.measured),
                 percent(static_cast<double>(*whatIf.measured), static_cast<double>(run.result.cycles))});
    else
      table.row({whatIf.change + ": " + whatIf.why, "-", "-", "-"});
  return table.text();
}

Json whatIfJson(const std::vector<WhatIf> &all) {
  Json list = Json::array();
  for (const WhatIf &whatIf : all)
    if (whatIf.measured)
      list.push_back({{"change", whatIf.change},
                      {"estimated_cycles", whatIf.estimated},
                      {"measured_cycles", *whatIf.measured}});
  return list;
}

} // namespace daedalus::report
