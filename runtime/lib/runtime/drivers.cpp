// See drivers.h.

#include "daedalus/runtime/drivers.h"

#include "daedalus/support/shared_object.h"

#include <mutex>

namespace daedalus::runtime {
namespace {

/// Names, once registered, stay: what was found remains valid.
struct Registry {
  std::mutex mutex;
  DeviceDrivers drivers;
  std::map<const void *, std::string> loaded; ///< names by plugins

  static Registry &get() {
    static Registry registry;
    return registry;
  }
};

Result<void> add(Registry &registry, const std::string &name, DeviceDriverFactory factory) {
  if (name.empty())
    return error("a driver needs the name of its device");
  if (!registry.drivers.emplace(name, std::move(factory)).second)
    return error("a driver for the device '" + name + "' is registered already");
  return {};
}

} // namespace

Result<void> registerDriver(const std::string &name, DeviceDriverFactory factory) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return add(registry, name, std::move(factory));
}

Result<std::string> loadDriver(const std::string &path) {
  const Result<const void *> symbol = loadSymbol(path, "daedalusDriver", "a driver");
  if (!symbol)
    return error(symbol.error());
  const auto *plugin = static_cast<const DriverPlugin *>(*symbol);
  if (plugin->version != driverVersion)
    return error("'" + path + "' is a driver of version " + std::to_string(plugin->version) + "; expected " +
                 std::to_string(driverVersion) + ", so build it against this Daedalus");
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  if (const auto known = registry.loaded.find(plugin); known != registry.loaded.end())
    return known->second;
  const std::string name = plugin->name ? plugin->name : "";
  if (Result<void> added = add(registry, name, plugin->open); !added)
    return error("'" + path + "' cannot be loaded as a driver: " + added.error());
  registry.loaded.emplace(plugin, name);
  return name;
}

const DeviceDriverFactory *findDriver(const std::string &name) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const auto found = registry.drivers.find(name);
  return found == registry.drivers.end() ? nullptr : &found->second;
}

const char *driverName(const std::string &name) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.drivers.find(name)->first.c_str();
}

std::vector<std::string> driverNames() {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto &[name, factory] : registry.drivers)
    names.push_back(name);
  return names;
}

} // namespace daedalus::runtime
