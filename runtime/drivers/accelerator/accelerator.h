// The accelerator as a device: the programs of a package behind a port, driven by the bare-metal driver core.
//
// This class plays the host's part: it places things in the memory that both share and turns the driver's
// codes into sentences. Everything that touches a register is runtime/baremetal/dae_driver.c.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/accelerator_port.h"
#include "daedalus/runtime/device_driver.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/profile.h"
#include "daedalus/support/result.h"

#include "dae_driver.h"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::runtime {

/// What one run of a program cost. Events are those of the port, valid until its next run.
struct ProgramRun {
  uint64_t cycles = 0;
  Counters counters{};
  Span<const sim::InstructionEvent> events;
  std::shared_ptr<const sim::Profile> profile; ///< null on engines that count no cycles
};

/// Its kernels are the package's programs, one at a time; ticks are cycles of no clock.
class Accelerator : public DeviceDriver {
public:
  /// With the package's constants and programs in its memory. Errors: an engine that is not there, a machine
  /// with another hash than the package's.
  static Result<std::unique_ptr<Accelerator>>
  create(const package::Package &package, const isa::Machine &machine, const SessionOptions &options);

  uint64_t constantsOffset() const { return constantsAt; }
  uint64_t arenaOffset() const { return arenaAt; }

  DeviceProperties properties() const override { return {"accelerator of machine '" + machineName + "'", 0}; }
  Span<uint8_t> map() override { return port->memory(); }
  Result<void> write(uint64_t offset, Span<const uint8_t> bytes) override;
  Result<void> read(uint64_t offset, Span<uint8_t> bytes) override;
  /// Points the base registers at constants and arena, which are a program's operands, and starts it.
  Result<uint64_t> submit(size_t program, Span<const uint64_t> operands) override;
  /// A fault's sentence has the cause, the instruction and the ONNX node it comes from.
  Result<uint64_t> wait(uint64_t program) override;

  /// What the last wait() was for.
  const ProgramRun &lastRun() const { return run; }
  Result<void> closeWaves() { return port->closeWaves(); }

private:
  explicit Accelerator(const package::Package &package) : package(package) {}
  Result<void> open(const isa::Machine &machine, const SessionOptions &options);
  Result<void> probe();
  void place();
  dae_job job(uint32_t program) const;
  Error fault(uint32_t program) const;

  const package::Package &package;
  std::string machineName;
  std::unique_ptr<AcceleratorPort> port;
  dae_io io{};
  uint64_t constantsAt = 0, arenaAt = 0; ///< in the memory
  std::vector<uint64_t> programsAt;
  ProgramRun run;
};

} // namespace daedalus::runtime
