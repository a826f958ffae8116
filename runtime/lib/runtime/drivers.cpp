// See drivers.h.

#include "daedalus/runtime/drivers.h"

#include "cuda_code.h"
#include "cuda_driver.h"
#include "ports.h"
#include "simulated_port.h"
#include "uio_port.h"

#include "daedalus/simulator/device.h"
#include "daedalus/support/shared_object.h"

#include <algorithm>
#include <mutex>

namespace daedalus::runtime {
namespace {

/// Names, once registered, stay: what was found remains valid.
struct Registry {
  std::mutex mutex;
  DeviceDrivers drivers{{cuda::deviceName, cuda::openGpu}};
  std::map<std::string, AcceleratorFactory> accelerators{{hardwareEngine, openUio}}; ///< by engines
  std::map<const void *, const char *> loaded;                                       ///< names by plugins

  static Registry &get() {
    static Registry registry;
    return registry;
  }
};

/// The name, as the registry keeps it.
Result<const char *> add(Registry &registry, const std::string &name, DeviceDriverFactory factory) {
  if (name.empty())
    return error("a driver needs the name of its device");
  const auto [entry, isNew] = registry.drivers.emplace(name, std::move(factory));
  if (!isNew)
    return error("a driver for the device '" + name + "' is registered already");
  return entry->first.c_str();
}

Result<const char *> addAccelerator(Registry &registry, const std::string &engine,
                                    AcceleratorFactory factory) {
  if (engine.empty())
    return error("an engine needs a name");
  const std::vector<std::string> simulators = sim::engineNames();
  const bool isSimulator = std::find(simulators.begin(), simulators.end(), engine) != simulators.end();
  const auto [entry, isNew] = registry.accelerators.emplace(engine, std::move(factory));
  if (!isSimulator && isNew)
    return entry->first.c_str();
  if (isSimulator)
    registry.accelerators.erase(entry);
  return error("there is an engine '" + engine + "' already");
}

Result<void> withoutName(const Result<const char *> &added) {
  return added ? Result<void>() : Result<void>(error(added.error()));
}

} // namespace

Result<void> registerAccelerator(const std::string &engine, AcceleratorFactory factory) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return withoutName(addAccelerator(registry, engine, std::move(factory)));
}

std::vector<std::string> engineNames() {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names = sim::engineNames();
  for (const auto &[name, factory] : registry.accelerators)
    names.push_back(name);
  return names;
}

Result<std::unique_ptr<AcceleratorPort>> openPort(const std::string &engine,
                                                  const AcceleratorRequest &request) {
  AcceleratorFactory factory;
  {
    Registry &registry = Registry::get();
    const std::lock_guard<std::mutex> lock(registry.mutex);
    if (const auto found = registry.accelerators.find(engine); found != registry.accelerators.end())
      factory = found->second;
  }
  if (!factory)
    return openSimulated(engine, request);
  auto opened = factory(request);
  return opened ? std::move(opened)
                : Result<std::unique_ptr<AcceleratorPort>>(
                      error("the engine '" + engine + "' cannot be opened: " + opened.error()));
}

Result<void> registerDriver(const std::string &name, DeviceDriverFactory factory) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return withoutName(add(registry, name, std::move(factory)));
}

Result<const char *> loadDriver(const std::string &path) {
  const Result<const void *> symbol = loadPlugin(path, "daedalusDriver", "a driver", driverVersion);
  if (!symbol)
    return error(symbol.error());
  const auto *plugin = static_cast<const DriverPlugin *>(*symbol);
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  if (const auto known = registry.loaded.find(plugin); known != registry.loaded.end())
    return known->second;
  const std::string called = plugin->name ? plugin->name : "";
  const Result<const char *> name = plugin->openAccelerator
                                        ? addAccelerator(registry, called, plugin->openAccelerator)
                                        : add(registry, called, plugin->open);
  if (!name)
    return error("'" + path + "' cannot be loaded as a driver: " + name.error());
  registry.loaded.emplace(plugin, *name);
  return *name;
}

const DeviceDriverFactory *findDriver(const std::string &name) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const auto found = registry.drivers.find(name);
  return found == registry.drivers.end() ? nullptr : &found->second;
}

std::vector<std::string> driverNames() {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto &[name, factory] : registry.drivers)
    names.push_back(name);
  return names;
}

AcceleratorPort::~AcceleratorPort() = default;

Span<const sim::InstructionEvent> AcceleratorPort::events() const {
  return {};
}

} // namespace daedalus::runtime
