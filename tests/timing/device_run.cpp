// Registers in, registers out.
#include "device_run.h"

#include "common/device_base.h"
#include "daedalus/isa/assembly.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace daedalus::timing {
namespace {

void writeProgram(testing::DeviceHarness &device, const clocked::HostSetup &setup) {
  const Span<uint8_t> dram = device->dram();
  uint64_t address = setup.programAddress;
  for (const isa::InstructionWord &word : setup.program) {
    if (address + word.size() <= dram.size())
      std::copy(word.begin(), word.end(), dram.begin() + address);
    address += word.size();
  }
}

std::string text(const clocked::Fault &fault) {
  return std::string(isa::name(fault.cause)) + " of " + isa::name(fault.module) + " at instruction " +
         std::to_string(fault.index);
}

bool isSame(const clocked::Fault &a, const clocked::Fault &b) {
  return a.cause == b.cause &&
         (a.cause == isa::FaultCause::None || (a.module == b.module && a.index == b.index));
}

std::map<uint32_t, std::string> byIndex(const std::vector<clocked::Event> &events) {
  std::map<uint32_t, std::string> result;
  for (const clocked::Event &event : events) {
    std::ostringstream line;
    line << isa::name(event.module) << " " << event.start << " to " << event.end;
    result[event.index] += line.str();
  }
  return result;
}

std::string eventDifference(const clocked::Outcome &expected, const clocked::Outcome &found) {
  const auto a = byIndex(expected.events), b = byIndex(found.events);
  for (uint32_t index = 0;
       index <= std::max(a.empty() ? 0 : a.rbegin()->first, b.empty() ? 0 : b.rbegin()->first); ++index) {
    const auto x = a.find(index), y = b.find(index);
    const std::string left = x == a.end() ? "none" : x->second, right = y == b.end() ? "none" : y->second;
    if (left != right)
      return "instruction " + std::to_string(index) + ": expected " + left + ", found " + right + "\n";
  }
  return "";
}

std::string counterDifference(const clocked::Counters &expected, const clocked::Counters &found) {
  std::string result;
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
    for (unsigned c = 0; c < isa::CounterClassCount; ++c)
      if (expected[m][c] != found[m][c])
        result += std::string(isa::name(static_cast<isa::CounterModule>(m))) + " " +
                  isa::name(static_cast<isa::CounterClass>(c)) + ": expected " +
                  std::to_string(expected[m][c]) + ", found " + std::to_string(found[m][c]) + "\n";
  return result;
}

std::optional<sim::Silence> silenceOf(const clocked::Silence &silence) {
  if (silence.channel == clocked::Channel::None)
    return std::nullopt;
  return sim::Silence{static_cast<sim::BusChannel>(static_cast<unsigned>(silence.channel) - 1), silence.after,
                      false};
}

} // namespace

clocked::Outcome runOnDevice(testing::DeviceHarness &device, const TestProgram &program) {
  const clocked::HostSetup &setup = program.setup;
  for (unsigned base = 0; base < isa::BaseRegisters; ++base)
    device.setBase(base, setup.bases[base].address, setup.bases[base].limit);
  writeProgram(device, setup);
  dynamic_cast<sim::DeviceBase &>(*device).setSilence(silenceOf(setup.silence));
  device.programLimit = setup.programLimit;
  device.start(setup.programAddress, setup.program.size());
  clocked::Outcome outcome;
  outcome.stopped = true;
  outcome.cycles = device.cycles();
  if (device.status() == isa::DeviceStatus::Fault)
    outcome.fault = {device.cause(), device.faultModule(), device.faultIndex()};
  for (const sim::InstructionEvent &event : device->events())
    outcome.events.push_back({event.index, event.module, event.start, event.end});
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
    for (unsigned c = 0; c < isa::CounterClassCount; ++c)
      outcome.counters[m][c] =
          device.counter(static_cast<isa::CounterModule>(m), static_cast<isa::CounterClass>(c));
  return outcome;
}

std::string difference(const clocked::Outcome &expected, const clocked::Outcome &found) {
  std::string result = eventDifference(expected, found);
  if (!isSame(expected.fault, found.fault))
    result += "fault: expected " + text(expected.fault) + ", found " + text(found.fault) + "\n";
  if (expected.cycles != found.cycles || !expected.stopped)
    result += "stop: expected cycle " + std::to_string(expected.cycles) +
              (expected.stopped ? "" : " (still running)") + ", found " + std::to_string(found.cycles) + "\n";
  return result + counterDifference(expected.counters, found.counters);
}

std::string describe(const TestProgram &program) {
  std::ostringstream out;
  out << describe(program.setup.machine) << "program at " << program.setup.programAddress << "\n";
  for (unsigned base = 0; base < isa::BaseRegisters; ++base)
    if (program.setup.bases[base].limit)
      out << "base " << base << ": " << program.setup.bases[base].address << ", limit "
          << program.setup.bases[base].limit << "\n";
  for (size_t i = 0; i < program.instructions.size(); ++i)
    out << i << ": " << isa::disassemble(program.instructions[i]) << "\n";
  return out.str();
}

} // namespace daedalus::timing
