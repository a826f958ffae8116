#include "Report/Certificate.h"

#include "Report/Hexadecimal.h"
#include "Report/Table.h"
#include "daedalus/isa/dram.h"

namespace daedalus::report {
namespace {

std::string text(const sim::LatencyRange &range) {
  return range.varies() ? std::to_string(range.least) + " to " + std::to_string(range.greatest)
                        : std::to_string(range.least);
}

std::string latenciesText(const std::string &reads, const std::string &writes) {
  return "a memory that answers reads after " + reads + " and writes after " + writes + " cycles";
}

std::string memoryText(const isa::Machine &machine) {
  if (machine.memoryModel)
    return "with " + isa::memoryModelName(machine) + " at " + std::to_string(machine.clockMhz) +
           " MHz, all rows closed at the start";
  return latenciesText(std::to_string(machine.readLatency), std::to_string(machine.writeLatency));
}

std::string intervalText(const Certificate &certificate) {
  const sim::Interval &interval = *certificate.interval;
  const std::string cycles =
      interval.lower == interval.upper
          ? grouped(interval.lower) + " cycles"
          : grouped(interval.lower) + " to " + grouped(interval.upper) + " cycles in every run";
  return cycles + " with " +
         latenciesText(text(certificate.latencies.read), text(certificate.latencies.write)) +
         (certificate.latencies.vary() ? ", as it likes: docs/intervals.md proves it" : "") + "\n";
}

std::string deadlineText(const Certificate &certificate) {
  const uint64_t most = certificate.most(), deadline = *certificate.deadline;
  const std::string of = "the deadline of " + grouped(deadline) + " cycles";
  if (certificate.meetsDeadline())
    return of + " is met, with " + grouped(deadline - most) + " to spare\n";
  return of + " is not met: a run may take " + grouped(most) + ", which are " + grouped(most - deadline) +
         " more\n";
}

Json rangeJson(const sim::LatencyRange &range) {
  return Json::array({range.least, range.greatest});
}

/// The offset of the next `bytes`, of which each part begins at a multiple of 4096.
uint64_t allocate(uint64_t &end, uint64_t bytes) {
  const uint64_t address = end;
  end = (address + bytes + 4095) / 4096 * 4096;
  return address;
}

} // namespace

std::string certificateText(const Certificate &certificate) {
  const isa::Machine &machine = certificate.machine;
  std::string runs, out;
  for (const Certificate::Runs &on : certificate.runs)
    runs += (runs.empty() ? "" : ", ") + std::to_string(on.count) + " on " + on.engine;
  out = certificate.model + ": " + grouped(certificate.cycles) + " cycles on machine " + machine.name + ", " +
        memoryText(machine) + "\nthe same in every run: " + runs +
        "\nthe same for all other data: in the hardware none reach what decides about time, which "
        "hw/lint/data_independence.py proves of its netlist\n";
  if (certificate.rtlCycles)
    out += "not run on rtl: more than " + grouped(*certificate.rtlCycles) + " cycles (--rtl-cycles)\n";
  if (certificate.interval)
    out += intervalText(certificate);
  if (certificate.hostLayers)
    out += "without " + std::to_string(certificate.hostLayers) +
           (certificate.hostLayers == 1 ? " layer" : " layers") +
           " on the host's CPU, whose time is not certified\n";
  return certificate.deadline ? out + deadlineText(certificate) : out;
}

Json certificateJson(const Certificate &certificate, const std::string &version) {
  const isa::Machine &machine = certificate.machine;
  Json runs = Json::object();
  for (const Certificate::Runs &on : certificate.runs)
    runs[on.engine] = on.count;
  Json json = {{"schema", 1},
               {"daedalus", version},
               {"model", certificate.model},
               {"machine",
                {{"name", machine.name},
                 {"hash", hexadecimal(machine.hash())},
                 {"read_latency", machine.readLatency},
                 {"write_latency", machine.writeLatency},
                 {"memory", isa::memoryText(machine)}}},
               {"cycles", certificate.cycles},
               {"runs", runs},
               {"uncertified_host_layers", certificate.hostLayers}};
  if (certificate.interval)
    json["interval"] = {{"read_latency", rangeJson(certificate.latencies.read)},
                        {"write_latency", rangeJson(certificate.latencies.write)},
                        {"lower", certificate.interval->lower},
                        {"upper", certificate.interval->upper}};
  if (certificate.deadline)
    json["deadline"] = {{"cycles", *certificate.deadline}, {"met", certificate.meetsDeadline()}};
  return json;
}

sim::PlacedProgram placedProgram(const package::Package &package, size_t program) {
  const package::AcceleratorProgram &source = package.programs[program];
  sim::PlacedProgram placed;
  uint64_t end = 0;
  placed.bases[0] = {allocate(end, package.constants.size()), source.bases[0].limit};
  placed.bases[1] = {allocate(end, package.arenaBytes), source.bases[1].limit};
  for (size_t before = 0; before < program; ++before)
    allocate(end, package.programs[before].words.size());
  placed.address = allocate(end, source.words.size());
  placed.words = source.words;
  return placed;
}

/// `costOf` of each accelerator program that the function starts; `add` is told it for each start.
template <class Cost, class CostOf, class Add>
static Result<void> overPrograms(const package::Package &package, const package::Function &function,
                                 CostOf costOf, Add add) {
  std::vector<std::optional<Cost>> programs(package.programs.size());
  for (const package::Step &step : function.steps) {
    if (step.kind != package::Step::Kind::Start)
      continue;
    std::optional<Cost> &cost = programs[step.index];
    if (!cost) {
      Result<Cost> found = costOf(placedProgram(package, step.index));
      if (!found)
        return error("accelerator program " + std::to_string(step.index) + ": " + found.error());
      cost = *found;
    }
    add(*cost);
  }
  return {};
}

Result<sim::Interval> intervalOf(const package::Package &package, const package::Function &function,
                                 const isa::Machine &machine, const sim::MemoryLatencies &latencies) {
  sim::Interval sum;
  const auto done = overPrograms<sim::Interval>(
      package, function,
      [&](const sim::PlacedProgram &program) { return sim::intervalOf(machine, program, latencies); },
      [&](const sim::Interval &interval) {
        sum.lower += interval.lower;
        sum.upper += interval.upper;
      });
  return done ? Result<sim::Interval>(sum) : error(done.error());
}

Result<uint64_t> cyclesOf(const package::Package &package, const package::Function &function,
                          const isa::Machine &machine) {
  uint64_t sum = 0;
  const auto done = overPrograms<uint64_t>(
      package, function, [&](const sim::PlacedProgram &program) { return sim::cyclesOf(machine, program); },
      [&](uint64_t cycles) { sum += cycles; });
  return done ? Result<uint64_t>(sum) : error(done.error());
}

Result<void> certify(package::Package &package, const isa::Machine &machine) {
  for (package::Function &function : package.functions) {
    const Result<uint64_t> cycles = cyclesOf(package, function, machine);
    if (!cycles)
      return error(cycles.error());
    function.certifiedCycles = *cycles;
  }
  return {};
}

} // namespace daedalus::report
