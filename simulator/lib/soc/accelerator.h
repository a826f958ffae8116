// The accelerator and its memory, as the rest of the system reaches them, in the order of cycles: in each
// cycle at most one request of the processor, then cycle(), then the questions about that cycle.
#pragma once

#include "common/device_base.h"
#include "daedalus/simulator/soc.h"

#include <optional>

namespace daedalus::sim::soc {

using Cycle = uint64_t;
constexpr Cycle Never = ~Cycle(0);

class Accelerator {
public:
  virtual ~Accelerator() = default;

  /// Requests in cycle `at` (S5 to S8). The processor has one open at a time.
  virtual void readRegister(Cycle at, uint32_t offset) = 0;
  virtual void writeRegister(Cycle at, uint32_t offset, uint32_t value) = 0;
  virtual void readDram(Cycle at, uint64_t address) = 0;
  virtual void writeDram(Cycle at, uint64_t address) = 0;

  /// Cycle `at`; nothing where sleep() went through it.
  virtual void cycle(Cycle at) = 0;
  /// Whether the open request is answered in cycle `at`.
  virtual bool isAnswered(Cycle at) = 0;
  /// What a read of a register gave.
  virtual uint32_t value() const = 0;
  /// The wire of the interrupt in cycle `at`.
  virtual bool interrupt(Cycle at) = 0;
  /// Goes on while nobody requests anything: to the first cycle from `from` on in which the interrupt is up,
  /// or to `to`; Never where that is Never and no interrupt will come.
  virtual Cycle sleep(Cycle from, Cycle to) = 0;

  /// Of the last program: its cycle 0 and its stop, where they are known.
  virtual std::optional<Cycle> started() const = 0;
  virtual std::optional<Cycle> stopped() const = 0;
  /// S9
  virtual uint64_t contendedCycles() const = 0;
  /// What broke a rule; empty: nothing.
  virtual const std::string &failure() const = 0;

  virtual Dram &dram() = 0;
};

Result<std::unique_ptr<Accelerator>> createEventAccelerator(const isa::Machine &machine,
                                                            const DeviceOptions &options);
Result<std::unique_ptr<Accelerator>> createClockedAccelerator(const isa::Machine &machine,
                                                              const DeviceOptions &options);

/// Cycles from a request to its answer, and from the write of START to cycle 0 (S5, S6).
constexpr Cycle RegisterReadWait = 1, RegisterWriteWait = 2, StartWait = 3;

} // namespace daedalus::sim::soc
