// Targets that shared objects bring to a compiler that is built already (docs/targets.md).
//
// Such a file says so once:
//
//   DAEDALUS_TARGET([]() -> std::unique_ptr<daedalus::Target> { return std::make_unique<NpuTarget>(); })

#ifndef DAEDALUS_TARGET_PLUGIN_H
#define DAEDALUS_TARGET_PLUGIN_H

#include "daedalus/Target/Target.h"

namespace daedalus {

/// Changes with every change of Target, and of what it is made of.
constexpr uint32_t targetVersion = 3;

/// What a shared object says of its target, under the name `daedalusTarget`. The version stands first in
/// every version.
struct TargetPlugin {
  uint32_t version;
  std::unique_ptr<Target> (*create)();
};

/// Loads a shared object, registers its target, and gives its name; again: the same. The error says why it
/// cannot be loaded, that it is no target, that it was made for another version, or that a name is taken.
Result<std::string> loadTarget(const std::string &path);

} // namespace daedalus

#define DAEDALUS_TARGET(CREATE)                                                                              \
  extern "C" __attribute__((visibility("default"))) const daedalus::TargetPlugin daedalusTarget;             \
  const daedalus::TargetPlugin daedalusTarget = {daedalus::targetVersion, CREATE};

#endif
