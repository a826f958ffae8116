// A search of a space whose points are priced by workers and written to a database.
#pragma once

#include "Explore/Front.h"
#include "Explore/Search.h"
#include "Explore/Sweep.h"

namespace daedalus::explore {

/// `progress` is told of each generation how many of its points are done of how many, and how many points
/// were evaluated before it. Points that the database has cost nothing but count, so that a search that goes
/// on ends as it would have without an end. Errors are those of Sweep.h and Database.
Result<void> searchSweep(const Space &space, const std::vector<Objective> &objectives,
                         const SearchLimits &limits, size_t networks, Database &database, Workers &workers,
                         const std::function<void(uint64_t done, uint64_t of, uint64_t before)> &progress);

} // namespace daedalus::explore
