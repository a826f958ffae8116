// See Plugin.h.

#include "daedalus/Target/Plugin.h"

#include "daedalus/support/shared_object.h"

namespace daedalus {

Result<std::string> loadTarget(const std::string &path) {
  static std::map<const TargetPlugin *, std::string> loaded;
  const Result<const void *> symbol = loadPlugin(path, "daedalusTarget", "a target", targetVersion);
  if (!symbol)
    return error(symbol.error());
  const auto *plugin = static_cast<const TargetPlugin *>(*symbol);
  if (const auto known = loaded.find(plugin); known != loaded.end())
    return known->second;
  std::unique_ptr<Target> target = plugin->create();
  if (!target)
    return error("'" + path + "' cannot be loaded as a target: it creates none");
  const std::string name = target->name();
  if (Result<void> registered = registerTarget(std::move(target)); !registered)
    return error("'" + path + "' cannot be loaded as a target: " + registered.error());
  loaded.emplace(plugin, name);
  return name;
}

} // namespace daedalus
