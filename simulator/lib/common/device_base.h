// What all engines share of the device: registers, interrupt, DRAM, the last run's events. An engine
// implements execute().
#pragma once

#include "common/core_state.h"
#include "common/fault.h"
#include "daedalus/simulator/device.h"

namespace daedalus::sim {

/// Cycles of each module in each class (R25); in every module they add up to the run's cycles.
using Counters = std::array<std::array<uint64_t, isa::CounterClassCount>, isa::CounterModuleCount>;

/// What a run leaves behind.
struct RunRecord {
  isa::DeviceStatus status = isa::DeviceStatus::Idle;
  Fault fault;
  uint64_t cycles = 0; ///< from START to the stop
  Counters counters{};
  std::vector<InstructionEvent> events;
};

class DeviceBase : public Device {
public:
  DeviceBase(const isa::Machine &machine, const DeviceOptions &options)
      : core(machine, options.dramBytes), options(options) {}

  uint32_t readRegister(uint32_t offset) override;
  void writeRegister(uint32_t offset, uint32_t value) override;
  void waitForInterrupt() override { advance(~uint64_t(0)); }
  bool advance(uint64_t cycles) override;
  void observe(Observer *observer) override { core.log.observer = observer; }
  Span<uint8_t> dram() override { return core.dram.span(); }
  const isa::Machine &machine() const override { return core.machine; }
  Span<const InstructionEvent> events() const override { return record.events; }
  std::string faultDetail() const override { return record.fault.detail; }

  /// For tests: the scratchpads.
  virtual CoreState &state() { return core; }

protected:
  /// Runs the program so many cycles further or to its stop and fills `record`, which is empty but for its
  /// status when the run begins. Whether it stopped.
  virtual bool execute(uint64_t cycles, bool begins) = 0;

  CoreState core;
  const DeviceOptions options;
  RunRecord record;
  uint64_t programAddress = 0; ///< a multiple of 64: its low bits are not registers
  uint32_t programLength = 0;  ///< instructions

private:
  void writeControl(uint32_t value);
  void writeArray(uint32_t offset, uint32_t value);
  uint32_t readArray(uint32_t offset) const;

  bool interrupt = false, begun = false;
};

} // namespace daedalus::sim
