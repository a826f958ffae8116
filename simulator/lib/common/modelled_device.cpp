// The AXI4-Lite slave of isa.yaml, the same for every engine.
#include "common/modelled_device.h"

namespace daedalus::sim {

using isa::DeviceStatus;
namespace reg = isa::reg;

namespace {

uint32_t low(uint64_t value) {
  return static_cast<uint32_t>(value);
}
uint32_t high(uint64_t value) {
  return static_cast<uint32_t>(value >> 32);
}
void setLow(uint64_t &value, uint32_t half) {
  value = value >> 32 << 32 | half;
}
void setHigh(uint64_t &value, uint32_t half) {
  value = uint64_t(half) << 32 | low(value);
}

/// The element of a register array at that offset, or -1.
int element(uint32_t offset, uint32_t first, uint32_t step, uint32_t count) {
  if (offset < first || offset >= first + step * count || (offset - first) % step)
    return -1;
  return static_cast<int>((offset - first) / step);
}

} // namespace

uint32_t ModelledDevice::readRegister(uint32_t offset) {
  switch (offset) {
  case reg::Version:
    return isa::Version;
  case reg::HashLo:
    return low(core.machine.hash());
  case reg::HashHi:
    return high(core.machine.hash());
  case reg::Status:
    return static_cast<uint32_t>(record.status);
  case reg::Interrupt:
    return interrupt;
  case reg::InterruptEnable:
    return interruptEnabled;
  case reg::ProgramLo:
    return low(program.address);
  case reg::ProgramHi:
    return high(program.address);
  case reg::ProgramLength:
    return program.length;
  case reg::ProgramLimit:
    return program.limit;
  case reg::FaultCause:
    return static_cast<uint32_t>(record.fault.cause);
  case reg::FaultIndex:
    return record.fault.index;
  case reg::FaultModule:
    return static_cast<uint32_t>(record.fault.module);
  case reg::CyclesLo:
    return low(counted(record.cycles, ~uint64_t(0)));
  case reg::CyclesHi:
    return high(counted(record.cycles, ~uint64_t(0)));
  default:
    return readArray(offset);
  }
}

/// Behind a run of an engine that counts cycles: with what the counter began.
uint64_t ModelledDevice::counted(uint64_t inRun, uint64_t mask) const {
  return inRun + (record.cycles ? options.hardware.counted & mask : 0);
}

uint32_t ModelledDevice::readArray(uint32_t offset) const {
  if (int i = element(offset, reg::BaseLo, reg::BaseLoStep, reg::BaseLoCount); i >= 0)
    return low(core.bases[i].address);
  if (int i = element(offset, reg::BaseHi, reg::BaseHiStep, reg::BaseHiCount); i >= 0)
    return high(core.bases[i].address);
  if (int i = element(offset, reg::Limit, reg::LimitStep, reg::LimitCount); i >= 0)
    return core.bases[i].limit;
  const auto counter = [&](int i) {
    return counted(record.counters[i / isa::CounterClassCount][i % isa::CounterClassCount], CounterMask);
  };
  if (int i = element(offset, reg::CounterLo, reg::CounterLoStep, reg::CounterLoCount); i >= 0)
    return low(counter(i));
  if (int i = element(offset, reg::CounterHi, reg::CounterHiStep, reg::CounterHiCount); i >= 0)
    return high(counter(i));
  return 0;
}

void ModelledDevice::writeRegister(uint32_t offset, uint32_t value) {
  if (offset == reg::Interrupt) {
    interrupt = interrupt && !(value & reg::InterruptPending);
    return;
  }
  if (offset == reg::InterruptEnable) {
    interruptEnabled = value & reg::InterruptEnableStop;
    return;
  }
  if (offset == reg::Control)
    return writeControl(value);
  if (record.status == DeviceStatus::Running)
    return;
  switch (offset) {
  case reg::ProgramLo:
    return setLow(program.address, value & ~uint32_t(isa::InstructionBytes - 1));
  case reg::ProgramHi:
    return setHigh(program.address, value);
  case reg::ProgramLength:
    program.length = value;
    return;
  case reg::ProgramLimit:
    program.limit = value;
    return;
  default:
    writeArray(offset, value);
  }
}

void ModelledDevice::writeArray(uint32_t offset, uint32_t value) {
  if (int i = element(offset, reg::BaseLo, reg::BaseLoStep, reg::BaseLoCount); i >= 0)
    setLow(core.bases[i].address, value);
  else if (int i = element(offset, reg::BaseHi, reg::BaseHiStep, reg::BaseHiCount); i >= 0)
    setHigh(core.bases[i].address, value);
  else if (int i = element(offset, reg::Limit, reg::LimitStep, reg::LimitCount); i >= 0)
    core.bases[i].limit = value;
}

void ModelledDevice::writeControl(uint32_t value) {
  const bool start = value & reg::ControlStart, reset = value & reg::ControlReset;
  if (!reset && (!start || record.status == DeviceStatus::Running))
    return;
  record = RunRecord();
  interrupt = begun = false;
  record.status = start ? DeviceStatus::Running : DeviceStatus::Idle;
}

void ModelledDevice::resetHardware() {
  writeControl(reg::ControlReset);
  interruptEnabled = false;
  program = {};
  core.bases = {};
}

bool ModelledDevice::advance(uint64_t cycles) {
  if (interrupt || record.status != DeviceStatus::Running)
    return true;
  const bool begins = !begun;
  begun = true;
  if (!execute(cycles, begins))
    return false;
  record.status = record.fault.cause == isa::FaultCause::None ? DeviceStatus::Done : DeviceStatus::Fault;
  interrupt = true;
  return true;
}

} // namespace daedalus::sim
