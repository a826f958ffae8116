// Which points of a sweep no other point beats in all objectives.
#pragma once

#include "Explore/Database.h"

#include <string>
#include <vector>

namespace daedalus::explore {

/// A number of a machine that is to be small.
struct Objective {
  const char *name, *meaning;
  /// Of a machine and the costs of all networks there.
  double (*of)(const isa::Machine &machine, const std::vector<Cost> &costs);
};

/// All that there are. Over several networks they are geometric means.
const std::vector<Objective> &objectives();
/// Those of a list with commas, at least one; an error names one that is unknown.
Result<std::vector<Objective>> objectivesOf(const std::string &list);

struct Ranked {
  PointResult point;
  isa::Machine machine;
  std::vector<double> values; ///< by objective
  bool isOnFront = false;
};

/// The points where every network runs on the accelerator, with as few layers on the host's CPU as anywhere
/// in the sweep: cycles of others leave out more. Sorted by the objectives, the first one first.
std::vector<Ranked> ranked(const std::vector<PointResult> &points, const std::vector<Objective> &objectives);

} // namespace daedalus::explore
