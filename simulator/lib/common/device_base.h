// What all engines share of the device: DRAM, scratchpads as tests see them, and what the last run left.
#pragma once

#include "common/core_state.h"
#include "common/fault.h"
#include "daedalus/simulator/device.h"

namespace daedalus::sim {

/// Cycles of each module in each class (R25); in every module they add up to the run's cycles.
using Counters = std::array<std::array<uint64_t, isa::CounterClassCount>, isa::CounterModuleCount>;

inline constexpr uint64_t CounterMask =
    (uint64_t(1) << 39) - 1; ///< of HardwareBehaviour::counted, in a counter

/// What a run leaves behind.
struct RunRecord {
  isa::DeviceStatus status = isa::DeviceStatus::Idle;
  Fault fault;
  uint64_t cycles = 0; ///< from START to the stop
  Counters counters{};
  std::vector<InstructionEvent> events;
  DramActivity dram;
};

class DeviceBase : public Device {
public:
  DeviceBase(const isa::Machine &machine, const DeviceOptions &options)
      : core(machine, options.dramBytes, options.memory.origin, options.dram), options(options),
        silence(options.memory.silence) {
    core.dram.answerWithErrors(options.memory.errorAddress,
                               options.memory.errorAddress + options.memory.errorBytes);
  }

  void waitForInterrupt() override { advance(~uint64_t(0)); }
  void observe(Observer *observer) override { core.log.observer = observer; }
  void trace(SpanSink *sink) override { spans = sink; }
  Span<uint8_t> dram() override { return core.dram.span(); }
  const isa::Machine &machine() const override { return core.machine; }
  Span<const InstructionEvent> events() const override { return record.events; }
  const DramActivity &dramActivity() const override { return record.dram; }
  std::string faultDetail() const override { return record.fault.detail; }

  /// The memory with its addresses, and with what it answers with errors.
  Dram &addressedDram() { return core.dram; }
  /// For tests: the scratchpads. What is changed in them counts from the next START on.
  virtual CoreState &state() { return core; }
  /// For tests: how the memory falls silent from now on, if it does.
  virtual void setSilence(const std::optional<Silence> &from) { silence = from; }
  /// For tests: the programs read in places what another module writes in the same cycle, and nothing of it
  /// is compared.
  virtual void expectRaces(bool) {}
  /// The reset of the hardware, as it begins life: RESET, and registers are zero. DRAM and scratchpads stay.
  virtual void resetHardware() = 0;
  /// Behind START: whether cycle 0 has come. Hardware that was reset in mid-program first waits for its
  /// buses.
  virtual bool hasBegun() const { return true; }
  /// An engine whose accesses to registers take time: the cycle of the run in which the last one took place,
  /// seeing what the cycles before it did; BehindTheStop, or nothing where accesses take none.
  virtual std::optional<uint64_t> accessCycle() const { return std::nullopt; }
  static constexpr uint64_t BehindTheStop = ~uint64_t(0);

protected:
  CoreState core;
  const DeviceOptions options;
  std::optional<Silence> silence; ///< instead of that of the options
  SpanSink *spans = nullptr;      ///< of the runs
  RunRecord record;
};

} // namespace daedalus::sim
