// Where the cycles go, layer by layer, at some points of a front.
#pragma once

#include "Explore/Evaluate.h"
#include "Explore/Front.h"
#include "Report/Json.h"

#include <functional>
#include <vector>

namespace daedalus::explore {

/// Points of the front that are profiled, and those of them that get changes of the machine too: more are
/// thinned out evenly, in the order of the first objective.
constexpr size_t mostProfiled = 12, mostChanged = 5;

/// Indices of the points of the front.
std::vector<size_t> frontOf(const std::vector<Ranked> &all);
/// At most `most` of them, 2 or more, its ends among them.
std::vector<size_t> thinned(std::vector<size_t> points, size_t most);

/// By the number of the point, a list with an entry for each network: cycles, and of each layer its cycles of
/// the critical path, its bytes of DRAM, its bound and what limits it, under the names of
/// docs/profile.schema.json; for some points "what_if". On so many worker processes; `progress` is told how
/// many profiles are done of how many. Errors: those of Networks, a profile with other cycles than the sweep
/// has, and those of Workers.
Result<report::Json> frontProfiles(const std::vector<Ranked> &all, Networks &networks, unsigned workers,
                                   const std::function<void(uint64_t done, uint64_t of)> &progress);

} // namespace daedalus::explore
