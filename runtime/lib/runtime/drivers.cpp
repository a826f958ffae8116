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
  std::map<const void *, const char *> loaded; ///< names by plugins

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

} // namespace

Result<void> registerDriver(const std::string &name, DeviceDriverFactory factory) {
  Registry &registry = Registry::get();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const Result<const char *> added = add(registry, name, std::move(factory));
  return added ? Result<void>() : Result<void>(error(added.error()));
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
  const Result<const char *> name = add(registry, plugin->name ? plugin->name : "", plugin->open);
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

} // namespace daedalus::runtime
