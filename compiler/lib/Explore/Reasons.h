// Why no machine of a sweep runs all networks.
#pragma once

#include "Explore/Database.h"

#include <string>
#include <vector>

namespace daedalus::explore {

struct Reason {
  uint64_t points;
  std::string text; ///< of a skipped point, or the first network that does not run and why
};

/// Of all points that do not run all networks, the most frequent reason first. `networks` are the names.
std::vector<Reason> reasonsOf(const std::vector<PointResult> &points,
                              const std::vector<std::string> &networks);

} // namespace daedalus::explore
