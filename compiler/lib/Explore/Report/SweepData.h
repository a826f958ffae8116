// The results of a sweep as the JSON that its page draws from.
#pragma once

#include "Explore/Front.h"
#include "Explore/Space.h"
#include "Report/Json.h"

#include <string>
#include <vector>

namespace daedalus::explore {

/// What a report is about. All outlive the call that they are given to.
struct ReportedSweep {
  std::string spaceFile; ///< as the user named it
  const Space &space;
  const std::vector<std::string> &networks; ///< in the order of the points' outcomes
  const std::vector<PointResult> &points;   ///< all of the database
  const std::vector<Objective> &objectives; ///< that the front is of
  const std::vector<double> &weights;       ///< of networks in the means of all others; may be empty
};

/// {"schema", "version", "space", "networks", "objectives", "front_of", "counts", "skipped", "keys",
/// "points", "lines", "sensitivities"}. "points" are the compared ones in columns: numbers of the database as
/// they are, values of all objectives, positions of the values of "keys" (-1: none), and the machine file as
/// numbers of "lines".
report::Json sweepData(const ReportedSweep &sweep, const std::vector<Ranked> &all);

} // namespace daedalus::explore
