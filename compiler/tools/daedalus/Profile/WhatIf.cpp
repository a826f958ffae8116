#include "WhatIf.h"
#include "Models/Samples.h"
#include "Output/Files.h"
#include "Output/Table.h"

namespace daedalus::cli {
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
uint64_t retimed(const ProfiledRun &run, const isa::Machine &machine) {
  package::Package package = run.package;
  package.machineName = machine.name;
  package.machineHash = machine.hash();
  runtime::SessionOptions options;
  options.engine = "systemc";
  options.timingOnly = true;
  options.verify = false; // they were proved, and no proof depends on what is changed here
  options.machine = machine;
  const auto session = orFail(runtime::Session::create(std::move(package), options));
  const package::Function &function = *orFail(session->function(0));
  return orFail(session->run(function.name, zeroInputs(function))).cycles;
}

WhatIf withoutLatency(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  machine.readLatency = machine.writeLatency = 1; // the least that a machine has
  return {"a memory that answers at once", "",
          run.result.cycles - path.of(CounterModule::Load, CounterClass::Memory) -
              path.of(CounterModule::Fetch, CounterClass::Memory),
          retimed(run, machine)};
}

WhatIf withTwiceTheBus(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  WhatIf whatIf{"twice the bytes of a beat", "", 0, std::nullopt};
  if (2 * machine.busBytes > machine.n) {
    whatIf.why = "a beat has at most the " + std::to_string(machine.n) + " bytes of a row";
    return whatIf;
  }
  machine.busBytes *= 2;
  if (machine.busBytes * machine.maxBurstBeats > MostBurstBytes)
    machine.maxBurstBeats /= 2;
  whatIf.estimated = run.result.cycles - (path.of(CounterModule::Load, CounterClass::Busy) +
                                          path.of(CounterModule::Store, CounterClass::Busy)) /
                                             2;
  whatIf.measured = retimed(run, machine);
  return whatIf;
}

WhatIf withTwiceTheQueues(const ProfiledRun &run, const Path &path, isa::Machine machine) {
  WhatIf whatIf{"twice the depth of the queues", "", 0, std::nullopt};
  if (2 * machine.queueDepth > MostQueued) {
    whatIf.why = "a queue has at most " + std::to_string(MostQueued) + " instructions";
    return whatIf;
  }
  machine.queueDepth *= 2;
  whatIf.estimated = run.result.cycles - path.of(CounterModule::Fetch, CounterClass::QueueFull);
  whatIf.measured = retimed(run, machine);
  return whatIf;
}

} // namespace

std::vector<WhatIf> whatIfs(const ProfiledRun &run) {
  if (run.result.profiles.empty())
    return {};
  const Path path(run);
  return {withoutLatency(run, path, *run.machine), withTwiceTheBus(run, path, *run.machine),
          withTwiceTheQueues(run, path, *run.machine)};
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

} // namespace daedalus::cli
