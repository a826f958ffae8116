// What explore says of a sweep: text, JSON and CSV.
#pragma once

#include "Explore/Front.h"
#include "Report/Json.h"

#include <string>
#include <vector>

namespace daedalus::cli {

/// "812 machines, 188 skipped (most often: not bus_bytes <= n)", of which so many compare.
std::string countsText(const std::vector<explore::PointResult> &points, size_t compared);

/// Where no machine compares: why, most often first.
std::string noMachineText(const std::vector<explore::PointResult> &points,
                          const std::vector<std::string> &models);

/// A table of the front, at most `top` of its machines.
std::string frontText(const std::vector<explore::Ranked> &all,
                      const std::vector<explore::Objective> &objectives, uint64_t top);

/// All points, and the numbers of those on the front.
report::Json resultsJson(const std::vector<std::string> &models,
                         const std::vector<explore::PointResult> &points,
                         const std::vector<explore::Ranked> &all);

/// A line for each machine and network.
std::string csvText(const std::vector<std::string> &models, const std::vector<explore::PointResult> &points);

} // namespace daedalus::cli
