// The profile of a network: the cycles of its instructions, rolled up to layers (docs/profile.md).
#pragma once

#include "daedalus/runtime/session.h"
#include "daedalus/simulator/profile.h"

#include <vector>

namespace daedalus::report {

/// Of a layer, or of what belongs to none.
struct ProfileSums {
  runtime::Counters modules{}; ///< what each module did for its instructions
  runtime::Counters path{};    ///< of the critical path: the module and the class that the end waited for
  uint64_t instructions = 0;

  /// Its cycles of the critical path; those of all layers and of none add up to the network's cycles.
  uint64_t pathCycles() const;

  ProfileSums &operator+=(const ProfileSums &other);
};

/// By the package's layers, and one more for what belongs to none: the cycles in front of the first
/// instruction, idle ones behind a module's last, and instructions of no layer.
std::vector<ProfileSums> profileSums(const runtime::RunResult &result, const package::Package &package);

} // namespace daedalus::report
