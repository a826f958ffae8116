// The accelerator as the executor sees it: a simulated device under the bare-metal driver core.
//
// This class plays the host's part: it places things in the device's DRAM and turns the driver's codes into
// sentences. Everything that touches a register is runtime/baremetal/dae_driver.c.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/profile.h"
#include "daedalus/support/result.h"

#include "dae_driver.h"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::runtime {

/// What one run of a program cost. Events are those of the device, valid until its next run.
struct ProgramRun {
  uint64_t cycles = 0;
  Counters counters{};
  Span<const sim::InstructionEvent> events;
  std::shared_ptr<const sim::Profile> profile; ///< null on engines that count no cycles
};

class Accelerator {
public:
  /// A device with the package's constants and programs in its DRAM. Errors: an engine that is not there, a
  /// machine with another hash than the package's.
  static Result<std::unique_ptr<Accelerator>>
  create(const package::Package &package, const isa::Machine &machine, const SessionOptions &options);

  uint8_t *constants() { return device->dram().data() + constantsAddress; }
  uint8_t *arena() { return device->dram().data() + arenaAddress; }

  /// Points the base registers at constants and arena, and starts a program of the package.
  Result<void> start(uint32_t program);
  /// Waits for it. A fault's sentence has the cause, the instruction and the ONNX node it comes from.
  Result<ProgramRun> wait(uint32_t program);
  /// Those of the device.
  Result<void> closeWaves() { return device->closeWaves(); }

private:
  explicit Accelerator(const package::Package &package) : package(package) {}
  Result<void> open(const isa::Machine &machine, const SessionOptions &options);
  Result<void> probe(const isa::Machine &machine);
  void place();
  dae_job job(uint32_t program) const;
  Error fault(uint32_t program) const;
  std::shared_ptr<const sim::Profile> profileOf(uint32_t program, const ProgramRun &run);

  const package::Package &package;
  std::unique_ptr<sim::Profiler> profiler; ///< null on engines that count no cycles
  std::unique_ptr<sim::Device> device;
  dae_io io{};
  uint64_t constantsAddress = 0, arenaAddress = 0, dramBytes = 0;
  std::vector<uint64_t> programAddresses;
};

} // namespace daedalus::runtime
