// The accelerator as a session reaches it: registers, a memory that host and accelerator share, and an
// interrupt. Simulators are such ports, and so is hardware that is mapped into the address space; what a
// session does with one is the driver core of runtime/baremetal. Ports are found by the names of engines
// (drivers.h).
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::sim {
struct InstructionEvent;
struct Profile;
} // namespace daedalus::sim

namespace daedalus::runtime {

/// What a session needs of a port.
struct AcceleratorRequest {
  isa::Machine machine;
  uint64_t memoryBytes = 0; ///< of constants, arena and programs
  bool timingOnly = false;  ///< cycles without results, where a port can
  std::string waves;        ///< as of SessionOptions, for ports that have waves
  uint64_t wavesFrom = 0, wavesTo = ~uint64_t(0);
};

/// One accelerator of one session, used by one thread. Errors become part of a sentence.
class AcceleratorPort {
public:
  virtual ~AcceleratorPort();

  /// 32-bit registers at the byte offsets of isa.yaml.
  virtual uint32_t readRegister(uint32_t offset) = 0;
  virtual void writeRegister(uint32_t offset, uint32_t value) = 0;
  /// What host and accelerator share, at a multiple of 64 for both; its first byte has the address origin()
  /// for the accelerator.
  virtual Span<uint8_t> memory() = 0;
  virtual uint64_t origin() const { return 0; }
  /// Returns when the program that was started has stopped; the error says that it does not.
  virtual Result<void> waitForInterrupt() = 0;

  /// Called before a program is started.
  virtual void begin() {}
  /// The last run's fault as a sentence, where the port knows more than the registers say; may be empty.
  virtual std::string faultDetail() const { return ""; }
  /// Of the last run, where the port sees them: its instructions by their ends, and where each of its cycles
  /// went.
  virtual Span<const sim::InstructionEvent> events() const;
  virtual std::shared_ptr<const sim::Profile> profile(Span<const uint8_t> /*words*/, uint64_t /*cycles*/) {
    return nullptr;
  }
  virtual Result<void> closeWaves() { return {}; }
};

using AcceleratorFactory =
    std::function<Result<std::unique_ptr<AcceleratorPort>>(const AcceleratorRequest &)>;

/// Hardware that is mapped into this process, by dae_mmio.
struct MappedAccelerator {
  volatile void *registers = nullptr; ///< a multiple of 4
  Span<uint8_t> memory;               ///< that host and accelerator share
  uint64_t origin = 0;                ///< the accelerator's address of its first byte
  /// Waits for the interrupt, such as by reading a file of UIO; empty: the status is polled.
  std::function<Result<void>()> wait;
  /// How often the status is polled until the accelerator counts as lost.
  uint64_t polls = uint64_t(1) << 32;
};

/// A port for it. The error says that the memory is smaller than what the session needs.
Result<std::unique_ptr<AcceleratorPort>> openMapped(MappedAccelerator mapped,
                                                    const AcceleratorRequest &request);

} // namespace daedalus::runtime
#pragma GCC visibility pop
