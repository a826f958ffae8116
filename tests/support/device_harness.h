// Runs instructions on an engine: places them in a device's DRAM, sets the registers as a driver does,
// starts, waits, and reads back what the hardware shows.
#pragma once

#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

namespace daedalus::testing {

inline isa::Machine builtin(const std::string &name) {
  auto machine = isa::loadMachine(name);
  if (!machine)
    ADD_FAILURE() << machine.error();
  return machine ? *machine : isa::Machine();
}

/// A device with the memory map of the tests: constants at Base0, arena at Base1, the program at Code.
class DeviceHarness {
public:
  static constexpr uint64_t Base0 = 0x10000, Base1 = 0x40000, Code = 0x80000, DramBytes = 0x100000;
  static constexpr uint32_t Limit = 0x20000;

  DeviceHarness(const std::string &engine, const isa::Machine &machine, bool timingOnly = false,
                uint64_t dramBytes = DramBytes) {
    sim::DeviceOptions options;
    options.dramBytes = dramBytes;
    options.timingOnly = timingOnly;
    auto created = sim::createDevice(engine, machine, options);
    if (!created)
      ADD_FAILURE() << created.error();
    else
      device = std::move(*created);
    setBase(0, Base0, Limit);
    setBase(1, Base1, Limit);
  }

  sim::Device &operator*() { return *device; }
  sim::Device *operator->() { return device.get(); }

  void setBase(unsigned base, uint64_t address, uint32_t limit) {
    namespace reg = isa::reg;
    device->writeRegister(reg::BaseLo + base * reg::BaseLoStep, static_cast<uint32_t>(address));
    device->writeRegister(reg::BaseHi + base * reg::BaseHiStep, static_cast<uint32_t>(address >> 32));
    device->writeRegister(reg::Limit + base * reg::LimitStep, limit);
  }
  void write(uint64_t address, Span<const uint8_t> bytes) {
    std::copy(bytes.begin(), bytes.end(), device->dram().begin() + address);
  }

  /// Runs the instructions from `address` on; `length` of the program where it is not their number.
  void run(const std::vector<isa::Instruction> &instructions, uint64_t address = Code) {
    const std::vector<uint8_t> words = isa::encodeWords(instructions);
    write(address, words);
    start(address, static_cast<uint32_t>(instructions.size()));
  }
  void start(uint64_t address, uint32_t length) {
    begin(address, length);
    device->waitForInterrupt();
  }
  /// Starts the program and returns before it runs.
  void begin(uint64_t address, uint32_t length) {
    namespace reg = isa::reg;
    device->writeRegister(reg::Interrupt, 1);
    device->writeRegister(reg::ProgramLo, static_cast<uint32_t>(address));
    device->writeRegister(reg::ProgramHi, static_cast<uint32_t>(address >> 32));
    device->writeRegister(reg::ProgramLength, length);
    device->writeRegister(reg::ProgramLimit, programLimit.value_or(length * isa::InstructionBytes));
    device->writeRegister(reg::Control, 1);
  }

  isa::DeviceStatus status() {
    return static_cast<isa::DeviceStatus>(device->readRegister(isa::reg::Status));
  }
  isa::FaultCause cause() { return static_cast<isa::FaultCause>(device->readRegister(isa::reg::FaultCause)); }
  uint32_t faultIndex() { return device->readRegister(isa::reg::FaultIndex); }
  isa::CounterModule faultModule() {
    return static_cast<isa::CounterModule>(device->readRegister(isa::reg::FaultModule));
  }
  uint64_t cycles() {
    return uint64_t(device->readRegister(isa::reg::CyclesHi)) << 32 |
           device->readRegister(isa::reg::CyclesLo);
  }
  uint64_t counter(isa::CounterModule module, isa::CounterClass what) {
    const uint32_t offset =
        (static_cast<uint32_t>(module) * isa::CounterClassCount + static_cast<uint32_t>(what)) *
        isa::reg::CounterLoStep;
    return uint64_t(device->readRegister(isa::reg::CounterHi + offset)) << 32 |
           device->readRegister(isa::reg::CounterLo + offset);
  }
  /// The events by the index of their instruction.
  std::map<uint32_t, sim::InstructionEvent> events() {
    std::map<uint32_t, sim::InstructionEvent> result;
    for (const sim::InstructionEvent &event : device->events())
      result[event.index] = event;
    return result;
  }

  /// Bytes that FETCH may read; none: those of the program.
  std::optional<uint32_t> programLimit;

private:
  std::unique_ptr<sim::Device> device;
};

} // namespace daedalus::testing
