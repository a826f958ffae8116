// How far the ends of the intervals of docs/intervals.md lie from the runs of whole packages: accelerator
// programs of packages with memories of many kinds, and searches for the longest and the shortest run.
//
//   build/release/bin/intervals_benchmark 64:128 64:128 PACKAGE.dae...
#include "timing/jitter.h"

#include "Report/Certificate.h"
#include "Report/Table.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/support/decimal.h"
#include "systemc/engine.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace daedalus::timing {
namespace {

namespace reg = isa::reg;

constexpr unsigned Searched = 12; ///< runs of a search
constexpr unsigned Seeds = 3;     ///< of each kind of memory that draws

[[noreturn]] void fail(const std::string &message) {
  std::cerr << "intervals_benchmark: error: " << message << "\n";
  std::exit(1);
}

sim::LatencyRange rangeOf(const std::string &text) {
  const size_t colon = text.find(':');
  const auto least = parseDecimal(text.substr(0, colon));
  const auto greatest = parseDecimal(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (!least || !greatest)
    fail("'" + text + "'; expected the minimum and maximum number of cycles, such as 64:128");
  return {static_cast<uint32_t>(*least), static_cast<uint32_t>(*greatest)};
}

package::Package packageOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  auto package = package::readPackage({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!package)
    fail("'" + path + "': " + package.error());
  return std::move(*package);
}

/// A program on a device of its own.
class PlacedRuns {
public:
  PlacedRuns(const isa::Machine &machine, const sim::PlacedProgram &program)
      : device(machine, optionsOf(program)), program(program) {
    std::copy(program.words.begin(), program.words.end(), device.dram().begin() + program.address);
    for (uint32_t i = 0; i < 2; ++i) {
      device.writeRegister(reg::BaseLo + i * reg::BaseLoStep,
                           static_cast<uint32_t>(program.bases[i].address));
      device.writeRegister(reg::Limit + i * reg::LimitStep, program.bases[i].limit);
    }
    device.writeRegister(reg::ProgramLo, static_cast<uint32_t>(program.address));
    device.writeRegister(reg::ProgramLength,
                         static_cast<uint32_t>(program.words.size() / isa::InstructionBytes));
    device.writeRegister(reg::ProgramLimit, static_cast<uint32_t>(program.words.size()));
  }

  uint64_t cycles(const clocked::BurstLatency &latency) {
    device.setTiming({latency, nullptr});
    device.writeRegister(reg::Interrupt, reg::InterruptPending);
    device.writeRegister(reg::Control, reg::ControlStart);
    device.waitForInterrupt();
    if (device.readRegister(reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Done))
      fail(device.faultDetail());
    return uint64_t(device.readRegister(reg::CyclesHi)) << 32 | device.readRegister(reg::CyclesLo);
  }

private:
  static sim::DeviceOptions optionsOf(const sim::PlacedProgram &program) {
    sim::DeviceOptions options;
    options.timingOnly = true;
    options.dramBytes = program.address + program.words.size(); // behind constants and arena
    return options;
  }

  sim::systemc::Engine device;
  const sim::PlacedProgram &program;
};

/// The shortest and the longest run that were seen.
sim::Interval seen(PlacedRuns &runs, const sim::MemoryLatencies &ranges, Random &random) {
  sim::Interval found{~uint64_t(0), 0};
  const auto cyclesOf = [&](const clocked::BurstLatency &latency) {
    const uint64_t cycles = runs.cycles(latency);
    found = {std::min(found.lower, cycles), std::max(found.upper, cycles)};
    return cycles;
  };
  for (unsigned kind = 0; kind <= static_cast<unsigned>(Jitter::Last); ++kind)
    for (unsigned seed = 0; seed < Seeds; ++seed)
      cyclesOf(latencyOf(static_cast<Jitter>(kind), ranges, seed));
  for (const bool longest : {false, true})
    search(random, ranges, longest, Searched, cyclesOf);
  return found;
}

std::string ratio(uint64_t above, uint64_t below) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", double(above) / double(below));
  return text;
}

/// One row; whether the upper end is at most 1.2 of the longest run.
bool measure(const std::string &path, const sim::MemoryLatencies &ranges, report::Table &table) {
  const package::Package package = packageOf(path);
  const auto machine = isa::loadMachine(package.machineName);
  if (!machine)
    fail(machine.error());
  sim::Interval bound, found;
  uint64_t exact = 0;
  Random random(1);
  for (size_t i = 0; i < package.programs.size(); ++i) {
    const sim::PlacedProgram program = report::placedProgram(package, i);
    const auto interval = sim::intervalOf(*machine, program, ranges);
    if (!interval)
      fail("'" + path + "': " + interval.error());
    PlacedRuns runs(*machine, program);
    exact += runs.cycles(nullptr);
    const sim::Interval ends = seen(runs, ranges, random);
    bound = {bound.lower + interval->lower, bound.upper + interval->upper};
    found = {found.lower + ends.lower, found.upper + ends.upper};
    if (ends.lower < interval->lower || ends.upper > interval->upper)
      fail("'" + path + "': a run of program " + std::to_string(i) + " leaves its interval");
  }
  using report::grouped;
  table.row({path.substr(path.rfind('/') + 1), grouped(exact), grouped(bound.lower), grouped(found.lower),
             grouped(found.upper), grouped(bound.upper), ratio(found.lower, bound.lower),
             ratio(bound.upper, found.upper)});
  return bound.upper * 5 <= found.upper * 6;
}

int run(const std::vector<std::string> &arguments) {
  if (arguments.size() < 3)
    fail("expected the ranges of read and write latencies, such as 64:128 64:128, and packages");
  const sim::MemoryLatencies ranges{rangeOf(arguments[0]), rangeOf(arguments[1])};
  report::Table table({"package", ">cycles", ">lower", ">shortest seen", ">longest seen", ">upper",
                       ">shortest/lower", ">upper/longest"});
  bool isTight = true;
  for (size_t i = 2; i < arguments.size(); ++i)
    isTight = measure(arguments[i], ranges, table) && isTight;
  std::cout << table.text();
  if (!isTight)
    fail("an upper end is more than 1.2 of the longest run");
  return 0;
}

} // namespace
} // namespace daedalus::timing

int main(int argc, char **argv) {
  return daedalus::timing::run({argv + 1, argv + argc});
}
