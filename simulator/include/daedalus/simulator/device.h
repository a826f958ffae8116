// The boundary of the hardware: registers, DRAM and an interrupt. Every engine implements it, so the
// driver of a bare-metal target drives them all.
//
// Engines: `functional` executes in program order and counts no cycles; it is the specification of
// results and faults, written to be read. `systemc` gives the same bytes and the cycle of everything,
// by the rules of docs/timing.md.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::sim {

/// One retired instruction: its index in the program, the module that executed it, and the cycles
/// (counted from START, docs/timing.md R1) in which it started and ended. The functional engine has none.
struct InstructionEvent {
  uint32_t index = 0;
  isa::CounterModule module = isa::CounterModule::Fetch;
  uint64_t start = 0, end = 0;
};

class Device {
public:
  virtual ~Device();

  /// Registers of isa.yaml at their byte offsets. Unknown offsets read as zero and ignore writes; while
  /// the core runs only `interrupt` takes writes.
  virtual uint32_t readRegister(uint32_t offset) = 0;
  /// START runs when waitForInterrupt() is called.
  virtual void writeRegister(uint32_t offset, uint32_t value) = 0;
  /// Runs to the stop, done or fault. Returns at once if an interrupt is pending or nothing runs.
  virtual void waitForInterrupt() = 0;
  /// The host's view of the memory; its first byte has address 0.
  virtual Span<uint8_t> dram() = 0;
  virtual const isa::Machine &machine() const = 0;
  /// Of the last run, in order of retirement.
  virtual Span<const InstructionEvent> events() const = 0;
  /// The last run's fault as a sentence, empty without one. Where nothing moves: who waits for whom.
  virtual std::string faultDetail() const = 0;
};

struct DeviceOptions {
  uint64_t dramBytes = 64ull << 20; ///< Accesses past it are bus errors.
  bool timingOnly = false;          ///< Cycles without results (systemc; the functional engine ignores it).
};

/// A device of that engine with its DRAM zeroed. An unknown engine is an error that names the known ones.
/// Devices of `systemc` may coexist and have different machines; one at a time runs, on one thread.
Result<std::unique_ptr<Device>> createDevice(const std::string &engine, const isa::Machine &,
                                             const DeviceOptions &);

/// The names createDevice() takes.
std::vector<std::string> engineNames();

} // namespace daedalus::sim
