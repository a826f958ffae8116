// The drivers of this process by the names of their devices: those that a program registers, and those that
// shared objects bring.
//
// A shared object that brings one says so once, at the end of a file:
//
//   DAEDALUS_DRIVER("npu", [](const package::Device &device) { return NpuDriver::open(device); })
//   DAEDALUS_ACCELERATOR("board", [](const AcceleratorRequest &request) { return openBoard(request); })
//
// The first is for a device with a memory of its own, by its name in packages, the second an engine that runs
// the accelerator's programs, by the name that --engine takes.
#pragma once

#include "daedalus/runtime/accelerator_port.h"
#include "daedalus/runtime/device_driver.h"

#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// Changes with every change of DeviceDriver and AcceleratorPort, and of what they are made of.
constexpr uint32_t driverVersion = 2;

/// What a shared object says of its driver, under the name `daedalusDriver`. The version stands first in
/// every version.
struct DriverPlugin {
  uint32_t version;
  const char *name;
  Result<std::unique_ptr<DeviceDriver>> (*open)(const package::Device &device);
  /// Of an engine: then `open` is null.
  Result<std::unique_ptr<AcceleratorPort>> (*openAccelerator)(const AcceleratorRequest &request);
};

/// For sessions that are made from now on. The error says that the name is none or taken.
Result<void> registerDriver(const std::string &name, DeviceDriverFactory factory);

/// An engine that runs accelerator programs, besides the simulators. The error says that the name is none or
/// taken.
Result<void> registerAccelerator(const std::string &engine, AcceleratorFactory factory);
/// The engine that is built in besides the simulators: an accelerator behind Linux's UIO, or behind a server
/// (server.h), by the variables of docs/targets.md. It has no waves, no profile, and always results.
constexpr const char *hardwareEngine = "uio";
/// What SessionOptions::engine takes: the simulators, that one, and what was registered.
std::vector<std::string> engineNames();

/// Loads a shared object, registers its driver, and gives its name, which lives as long as the process;
/// again: the same. The error says why it cannot be loaded, that it is no driver, that it was made for
/// another version, or that its name is taken.
Result<const char *> loadDriver(const std::string &path);

/// Null where there is none.
const DeviceDriverFactory *findDriver(const std::string &name);
std::vector<std::string> driverNames();

} // namespace daedalus::runtime
#pragma GCC visibility pop

#define DAEDALUS_DRIVER(NAME, OPEN)                                                                          \
  extern "C" __attribute__((visibility("default"))) const daedalus::runtime::DriverPlugin daedalusDriver;    \
  const daedalus::runtime::DriverPlugin daedalusDriver = {daedalus::runtime::driverVersion, NAME, OPEN,      \
                                                          nullptr};

#define DAEDALUS_ACCELERATOR(NAME, OPEN)                                                                     \
  extern "C" __attribute__((visibility("default"))) const daedalus::runtime::DriverPlugin daedalusDriver;    \
  const daedalus::runtime::DriverPlugin daedalusDriver = {daedalus::runtime::driverVersion, NAME, nullptr,   \
                                                          OPEN};
