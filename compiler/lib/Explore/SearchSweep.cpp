// See SearchSweep.h.
#include "Explore/SearchSweep.h"

#include "daedalus/isa/dram.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace daedalus::explore {
namespace {

/// Bases and models of DRAMs have no order.
std::vector<Surrogate::Axis> axesOf(const Space &space) {
  std::vector<Surrogate::Axis> axes = {{space.bases.size(), false}};
  for (const Space::Key &key : space.keys)
    axes.push_back({key.values.size(), key.name != isa::modelKey});
  return axes;
}

std::optional<Values> lookAt(const Space &space, uint64_t index, const std::vector<Objective> &objectives) {
  const Point point = space.point(index);
  if (!point.machine)
    return std::nullopt;
  Values values;
  for (const Objective &objective : objectives)
    values.push_back(objective.ofMachine ? objective.at(*point.machine, {}) : NAN);
  return values;
}

/// Of these points alone: what else the database has may not change the search.
Result<std::map<uint64_t, Values>> valuesOf(const std::set<uint64_t> &points, const Database &database,
                                            size_t networks, const std::vector<Objective> &objectives) {
  Result<std::vector<PointResult>> results = database.read(networks);
  if (!results)
    return error(results.error());
  results->erase(std::remove_if(results->begin(), results->end(),
                                [&](const PointResult &result) { return !points.count(result.index); }),
                 results->end());
  std::map<uint64_t, Values> values;
  for (Ranked &one : ranked(*results, objectives))
    values.emplace(one.point.index, std::move(one.values));
  return values;
}

} // namespace

Result<void> searchSweep(const Space &space, const std::vector<Objective> &objectives,
                         const SearchLimits &limits, size_t networks, Database &database, Workers &workers,
                         const std::function<void(uint64_t, uint64_t, uint64_t)> &progress) {
  std::set<uint64_t> asked;
  SearchGrid grid;
  grid.axes = axesOf(space);
  grid.objectives = objectives.size();
  grid.look = [&](uint64_t point) { return lookAt(space, point, objectives); };
  grid.evaluate = [&](const std::vector<uint64_t> &points) -> Result<std::map<uint64_t, Values>> {
    const uint64_t before = asked.size();
    const Result<void> swept = sweep(space, points, networks, database, workers,
                                     [&](uint64_t done, uint64_t of) { progress(done, of, before); });
    if (!swept)
      return error(swept.error());
    asked.insert(points.begin(), points.end());
    return valuesOf(asked, database, networks, objectives);
  };
  const Result<std::vector<uint64_t>> order = search(grid, limits);
  return order ? Result<void>() : error(order.error());
}

} // namespace daedalus::explore
