// Runs of one program without results, as the host would start it.
#pragma once

#include "daedalus/isa/dram.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/interval.h"
#include "daedalus/simulator/profile.h"
#include "systemc/engine.h"

#include <algorithm>

namespace daedalus::sim::systemc {

/// Runs a program on a device of its own.
class Runner {
public:
  const isa::Machine &machine;
  const PlacedProgram &program;

  Runner(const isa::Machine &machine, const PlacedProgram &program) : machine(machine), program(program) {
    end = program.address + program.words.size();
    for (const PlacedProgram::Base &base : program.bases)
      end = std::max(end, base.address + base.limit);
    end = (end + isa::InstructionBytes - 1) / isa::InstructionBytes * isa::InstructionBytes;
  }

  /// The cycles of a run with such latencies, of a bound where there is one.
  Result<uint64_t> cycles(uint32_t readLatency, uint32_t writeLatency, const ReadBound *bound) const {
    isa::Machine timed = isa::withFixedLatencies(machine);
    timed.readLatency = readLatency;
    timed.writeLatency = writeLatency;
    return cycles(timed, bound);
  }

  Result<uint64_t> cycles(const isa::Machine &timed, const ReadBound *bound) const {
    Engine device(timed, options());
    device.setTiming({nullptr, bound});
    return run(device);
  }

  /// Where the cycles of a run on the machine go.
  Result<Profile> profile() const {
    Profiler profiler;
    Engine device(machine, options());
    device.trace(&profiler);
    const Result<uint64_t> cycles = run(device);
    if (!cycles)
      return error(cycles.error());
    Profile profile = profiler.finish(*isa::decodeWords(program.words), device.events(), *cycles);
    profile.dram = device.dramActivity();
    return profile;
  }

private:
  DeviceOptions options() const {
    DeviceOptions options;
    options.dramBytes = end;
    options.timingOnly = true;
    return options;
  }

  Result<uint64_t> run(Engine &device) const {
    if (device.dram().size() != end)
      return error("no memory for a DRAM of " + std::to_string(end) + " bytes");
    setUp(device);
    device.writeRegister(isa::reg::Control, isa::reg::ControlStart);
    device.waitForInterrupt();
    if (device.readRegister(isa::reg::Status) != static_cast<uint32_t>(isa::DeviceStatus::Done))
      return error("the program stops with a fault: " + device.faultDetail());
    return uint64_t(device.readRegister(isa::reg::CyclesHi)) << 32 | device.readRegister(isa::reg::CyclesLo);
  }

  static void setAddress(Device &device, uint32_t low, uint32_t high, uint64_t address) {
    device.writeRegister(low, static_cast<uint32_t>(address));
    device.writeRegister(high, static_cast<uint32_t>(address >> 32));
  }

  void setUp(Device &device) const {
    std::copy(program.words.begin(), program.words.end(), device.dram().begin() + program.address);
    for (uint32_t i = 0; i < program.bases.size(); ++i) {
      setAddress(device, isa::reg::BaseLo + i * isa::reg::BaseLoStep,
                 isa::reg::BaseHi + i * isa::reg::BaseHiStep, program.bases[i].address);
      device.writeRegister(isa::reg::Limit + i * isa::reg::LimitStep, program.bases[i].limit);
    }
    setAddress(device, isa::reg::ProgramLo, isa::reg::ProgramHi, program.address);
    device.writeRegister(isa::reg::ProgramLength,
                         static_cast<uint32_t>(program.words.size() / isa::InstructionBytes));
    device.writeRegister(isa::reg::ProgramLimit, static_cast<uint32_t>(program.words.size()));
  }

  uint64_t end = 0; ///< of the DRAM
};

} // namespace daedalus::sim::systemc
