#include "Report/Profile/WhatIf.h"

#include "Report/Certificate.h"
#include "Report/Profile/LayerFigures.h"
#include "Report/Table.h"
#include "daedalus/isa/dram.h"

#include <algorithm>

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

/// The cycles of the critical path in which a module was in a class, at most `most` of each segment.
uint64_t onPath(const ProfiledRun &run, CounterModule module, CounterClass what, uint64_t most = UINT64_MAX) {
  uint64_t cycles = 0;
  for (const runtime::ProgramProfile &program : run.result.profiles)
    for (const sim::PathSegment &segment : program.profile->path)
      if (segment.module == module && segment.what == what)
        cycles += std::min(segment.end - segment.first, most);
  return cycles;
}

/// What a wait on the path can have of the memory's latency; of a DRAM, whose latencies vary, all of it.
uint64_t mostOfWait(const ProfiledRun &run, uint32_t latency) {
  return run.machine->memoryModel ? UINT64_MAX : latency - 1;
}

uint64_t responses(const ProfiledRun &run) {
  return onPath(run, CounterModule::Store, CounterClass::Memory, mostOfWait(run, run.machine->writeLatency));
}

uint64_t waits(const ProfiledRun &run) {
  const uint64_t latency = mostOfWait(run, run.machine->readLatency);
  return onPath(run, CounterModule::Load, CounterClass::Memory, latency) +
         onPath(run, CounterModule::Fetch, CounterClass::Memory, latency);
}

/// A change of the machine.
struct Change {
  const char *name;
  void (*make)(isa::Machine &);
  uint64_t (*saved)(const ProfiledRun &); ///< cycles of the path; null: no estimate
  bool fits;                              ///< the same instructions run on the changed machine
};

const Change changes[] = {
    {"a memory that answers at once",
     [](isa::Machine &m) {
       m = isa::withFixedLatencies(m);
       m.readLatency = m.writeLatency = 1;
     },
     [](const ProfiledRun &run) { return waits(run) + responses(run); }, true},
    {"writes that are answered at once", [](isa::Machine &m) { m.writeLatency = 1; }, responses, true},
    {"twice the bytes of a beat",
     [](isa::Machine &m) {
       m.busBytes *= 2;
       m.maxBurstBeats = std::max(m.maxBurstBeats / 2, 1u); // bursts of as many bytes
     },
     [](const ProfiledRun &run) {
       return (onPath(run, CounterModule::Load, CounterClass::Busy) +
               onPath(run, CounterModule::Store, CounterClass::Busy)) /
              2;
     },
     true},
    {"twice the open reads and the receive buffer",
     [](isa::Machine &m) { m.outstandingReads *= 2, m.receiveBeats *= 2; }, nullptr, true},
    {"twice the depth of the queues", [](isa::Machine &m) { m.queueDepth *= 2; },
     [](const ProfiledRun &run) { return onPath(run, CounterModule::Fetch, CounterClass::QueueFull); }, true},
    {"twice the scratchpads",
     [](isa::Machine &m) {
       for (uint32_t isa::Machine::*bytes :
            {&isa::Machine::inpBytes, &isa::Machine::wgtBytes, &isa::Machine::accBytes,
             &isa::Machine::paramBytes, &isa::Machine::outBytes})
         m.*bytes *= 2;
     },
     nullptr, false},
    {"twice the array's rows and columns", // with as many rows of INP and OUT
     [](isa::Machine &m) { m.n *= 2, m.inpBytes *= 2, m.outBytes *= 2; }, nullptr, false},
};

/// Why there is no such machine, without its name; empty where there is.
std::string refusal(const isa::Machine &machine) {
  const Result<isa::Machine> read = isa::parseMachine(isa::writeMachine(machine), machine.name);
  if (read)
    return "";
  const std::string prefix = machine.name + ": ";
  const std::string &text = read.error();
  return text.compare(0, prefix.size(), prefix) == 0 ? text.substr(prefix.size()) : text;
}

Result<void> measure(const ProfiledRun &run, const Change &change, const CompileFor &compile,
                     WhatIf &result) {
  isa::Machine machine = *run.machine;
  change.make(machine);
  result.why = isa::writeMachine(machine) == isa::writeMachine(*run.machine)
                   ? "a DRAM has no latency of its own for them"
                   : refusal(machine);
  if (!result.why.empty())
    return {};
  if (change.saved)
    result.estimated = run.result.cycles - std::min(run.result.cycles, change.saved(run));
  if (change.fits) {
    const Result<uint64_t> cycles = cyclesOf(run.package, run.package.functions.front(), machine);
    if (!cycles)
      return error(cycles.error());
    result.measured = *cycles;
  }
  if (!compile)
    return {};
  const Result<package::Package> package = compile(machine);
  if (!package)
    return error(package.error());
  const Result<uint64_t> cycles = cyclesOf(*package, package->functions.front(), machine);
  if (!cycles)
    return error(cycles.error());
  result.compiled = *cycles;
  return {};
}

std::string numberOrNone(const std::optional<uint64_t> &cycles) {
  return cycles ? grouped(*cycles) : "-";
}

/// The change that saves most; where none saves a hundredth of the run, what limits it.
std::string conclusion(const ProfiledRun &run, const std::vector<WhatIf> &all) {
  constexpr double little = 0.99;
  const WhatIf *most = nullptr;
  for (const WhatIf &whatIf : all)
    if (whatIf.best() && (!most || *whatIf.best() < *most->best()))
      most = &whatIf;
  const auto cycles = static_cast<double>(run.result.cycles);
  if (most && static_cast<double>(*most->best()) <= little * cycles)
    return "Most would be saved by " + most->change + ": " +
           percent(cycles - static_cast<double>(*most->best()), cycles) + " of the cycles.\n";
  ProfileSums total;
  for (const ProfileSums &sums : profileSums(run.result, run.package))
    total += sums;
  return "No change saves 1% of the cycles; most of the critical path is limited by: " + limitOf(total.path) +
         ".\n";
}

} // namespace

std::optional<uint64_t> WhatIf::best() const {
  if (!measured || !compiled)
    return measured ? measured : compiled;
  return std::min(*measured, *compiled);
}

Result<std::vector<WhatIf>> whatIfs(const ProfiledRun &run, const CompileFor &compile) {
  std::vector<WhatIf> all;
  if (run.result.profiles.empty())
    return all;
  for (const Change &change : changes) {
    WhatIf &result = all.emplace_back();
    result.change = change.name;
    if (const Result<void> measured = measure(run, change, compile, result); !measured)
      return error(measured.error());
  }
  return all;
}

std::string whatIfText(const ProfiledRun &run, const std::vector<WhatIf> &all) {
  Table table({"what if", ">estimated", ">same instructions", ">compiled again", ">of the run's"});
  std::string impossible;
  for (const WhatIf &whatIf : all)
    if (whatIf.why.empty())
      table.row({whatIf.change, numberOrNone(whatIf.estimated), numberOrNone(whatIf.measured),
                 numberOrNone(whatIf.compiled),
                 whatIf.best()
                     ? percent(static_cast<double>(*whatIf.best()), static_cast<double>(run.result.cycles))
                     : "-"});
    else
      impossible += "There is no machine with " + whatIf.change + ": " + whatIf.why + "\n";
  return table.text() + impossible + conclusion(run, all);
}

Json whatIfJson(const std::vector<WhatIf> &all) {
  Json list = Json::array();
  for (const WhatIf &whatIf : all) {
    if (!whatIf.why.empty())
      continue;
    Json entry = {{"change", whatIf.change}};
    const std::pair<const char *, const std::optional<uint64_t> *> figures[] = {
        {"estimated_cycles", &whatIf.estimated},
        {"measured_cycles", &whatIf.measured},
        {"compiled_cycles", &whatIf.compiled}};
    for (const auto &[key, cycles] : figures)
      if (*cycles)
        entry[key] = **cycles;
    list.push_back(std::move(entry));
  }
  return list;
}

} // namespace daedalus::report
