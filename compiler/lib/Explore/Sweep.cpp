// See Sweep.h.
#include "Explore/Sweep.h"

#include "Explore/Sobol.h"
#include "Report/Json.h"

#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <numeric>

namespace daedalus::explore {
namespace {

using report::Json;

PointResult fromJson(uint64_t index, const Json &json) {
  PointResult result{index, json["machine"], json["skipped"], {}};
  for (const Json &entry : json["networks"])
    if (entry.is_array())
      result.networks.push_back({Cost{entry[0], entry[1], entry[2], entry[3], entry[4]}, ""});
    else
      result.networks.push_back({std::nullopt, entry});
  return result;
}

/// Of a point whose workers all ended.
PointResult crashed(const Point &point, size_t networks) {
  PointResult result{point.index, point.name, "", {}};
  result.networks.assign(networks, {std::nullopt, "the worker that compiled it ended without an answer"});
  return result;
}

} // namespace

std::vector<uint64_t> pointsOf(const Space &space, uint64_t sample, uint64_t seed) {
  std::vector<uint64_t> points;
  if (sample == 0 || sample >= space.size()) {
    points.resize(space.size());
    std::iota(points.begin(), points.end(), uint64_t(0));
    return points;
  }
  SobolPoints(space.counts(), seed).take(sample, [&](uint64_t point) {
    points.push_back(point);
    return space.point(point).machine.has_value();
  });
  std::sort(points.begin(), points.end());
  return points;
}

PointResult priced(const Space &space, uint64_t index, Networks &networks) {
  const Point point = space.point(index);
  PointResult result{index, point.name, point.skipped, {}};
  for (size_t i = 0; point.machine && i < networks.size(); ++i) {
    const Result<Cost> cost = networks.costOf(i, *point.machine);
    result.networks.push_back(cost ? Outcome{*cost, ""} : Outcome{std::nullopt, cost.error()});
  }
  return result;
}

std::string answerOf(const PointResult &result) {
  Json networks = Json::array();
  for (const Outcome &outcome : result.networks)
    if (const std::optional<Cost> &cost = outcome.cost)
      networks.push_back(
          {cost->cycles, cost->boundCycles, cost->dramBytes, cost->picojoules, cost->hostLayers});
    else
      networks.push_back(outcome.refused);
  return Json{{"machine", result.machine}, {"skipped", result.skipped}, {"networks", networks}}.dump();
}

Work pricing(const Space &space, Networks &networks) {
  return [&space, &networks](uint64_t index) {
    llvm::parallel::strategy = llvm::hardware_concurrency(1); // each worker is one of as many as are wanted
    return answerOf(priced(space, index, networks));
  };
}

Result<void> sweep(const Space &space, const std::vector<uint64_t> &points, size_t networks,
                   Database &database, Workers &workers,
                   const std::function<void(uint64_t, uint64_t)> &progress) {
  const Result<std::set<uint64_t>> finished = database.finished();
  if (!finished)
    return error(finished.error());
  std::vector<uint64_t> left;
  std::copy_if(points.begin(), points.end(), std::back_inserter(left),
               [&](uint64_t point) { return !finished->count(point); });
  size_t given = 0, count = points.size() - left.size();
  const auto next = [&] { return given < left.size() ? std::optional(left[given++]) : std::nullopt; };
  const auto done = [&](uint64_t index, const std::string &answer, bool hasCrashed) {
    progress(++count, points.size());
    return database.write(hasCrashed ? crashed(space.point(index), networks)
                                     : fromJson(index, Json::parse(answer)));
  };
  return workers.run(next, done);
}

} // namespace daedalus::explore
