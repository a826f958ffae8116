// All points of a space, or a sample of them, priced by workers and written to a database.
#pragma once

#include "Explore/Database.h"
#include "Explore/Space.h"
#include "Explore/Workers.h"

#include <functional>

namespace daedalus::explore {

/// The points of a sweep, in the order of their indices: all of the space, or so many of a Sobol sequence
/// that `sample` of them are machines; those that are skipped on the way are among them. The same for the
/// same seed on every host.
std::vector<uint64_t> pointsOf(const Space &space, uint64_t sample, uint64_t seed);

/// What all networks cost at a point of the space.
PointResult priced(const Space &space, uint64_t index, Networks &networks);

/// A result as workers send it.
std::string answerOf(const PointResult &result);

/// priced() as work for the workers of sweep(), which holds both.
Work pricing(const Space &space, Networks &networks);

/// Has the workers, whose work is pricing(), price the points that the database has not; `progress` is told
/// how many are done of how many. The results are the same for any workers. Errors are those of Database and
/// Workers.
Result<void> sweep(const Space &space, const std::vector<uint64_t> &points, size_t networks,
                   Database &database, Workers &workers,
                   const std::function<void(uint64_t done, uint64_t of)> &progress);

} // namespace daedalus::explore
