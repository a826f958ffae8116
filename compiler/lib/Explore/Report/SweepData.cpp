// See SweepData.h.
#include "Explore/Report/SweepData.h"

#include "Explore/Report/Keys.h"
#include "Explore/Report/Sensitivity.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace daedalus::explore {
namespace {

using report::Json;

/// Those that the front is of, then all others; times only where the machines have a clock.
std::vector<Objective> shownObjectives(const ReportedSweep &sweep) {
  const std::vector<Objective> &asked = sweep.objectives;
  std::vector<Objective> shown = asked;
  for (const Objective &objective : objectives()) {
    const auto isSame = [&](const Objective &other) { return other.name == objective.name; };
    if (std::any_of(asked.begin(), asked.end(), isSame) || !isKnown(objective, sweep.space))
      continue;
    shown.push_back(objective);
    shown.back().weights = sweep.weights;
  }
  return shown;
}

/// The same points with the values of these objectives.
std::vector<Ranked> withValues(std::vector<Ranked> all, const std::vector<Objective> &objectives) {
  for (Ranked &one : all) {
    std::vector<Cost> costs;
    for (const Outcome &outcome : one.point.networks)
      costs.push_back(*outcome.cost);
    one.values.clear();
    for (const Objective &objective : objectives)
      one.values.push_back(objective.at(one.machine, costs));
  }
  return all;
}

/// Points that have no machine, by the reason.
std::map<std::string, uint64_t> skippedOf(const std::vector<PointResult> &points) {
  std::map<std::string, uint64_t> reasons;
  for (const PointResult &point : points)
    if (!point.skipped.empty())
      ++reasons[point.skipped];
  return reasons;
}

Json countsJson(const ReportedSweep &sweep, const std::vector<Ranked> &all) {
  uint64_t skipped = 0, front = 0;
  for (const PointResult &point : sweep.points)
    skipped += !point.skipped.empty();
  for (const Ranked &one : all)
    front += one.isOnFront;
  return {{"points", sweep.points.size()},
          {"machines", sweep.points.size() - skipped},
          {"compared", all.size()},
          {"front", front}};
}

Json valuesJson(const std::vector<Ranked> &all, const std::vector<Objective> &objectives) {
  Json values = Json::object();
  for (size_t i = 0; i < objectives.size(); ++i) {
    Json &column = values[objectives[i].name] = Json::array();
    for (const Ranked &one : all)
      column.push_back(one.values[i]);
  }
  return values;
}

/// By network, the columns of the database's table of results.
Json costsJson(const std::vector<Ranked> &all, size_t networks) {
  Json list = Json::array();
  for (size_t network = 0; network < networks; ++network) {
    Json columns = {{"cycles", Json::array()},
                    {"bound_cycles", Json::array()},
                    {"dram_bytes", Json::array()},
                    {"estimated_pj", Json::array()},
                    {"host_layers", Json::array()}};
    for (const Ranked &one : all) {
      const Cost &cost = *one.point.networks[network].cost;
      columns["cycles"].push_back(cost.cycles);
      columns["bound_cycles"].push_back(cost.boundCycles);
      columns["dram_bytes"].push_back(cost.dramBytes);
      columns["estimated_pj"].push_back(cost.picojoules);
      columns["host_layers"].push_back(cost.hostLayers);
    }
    list.push_back(std::move(columns));
  }
  return list;
}

/// Machine files as numbers of lines, each of which is kept once.
class Lines {
public:
  Json numbersOf(const std::string &text) {
    Json numbers = Json::array();
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      const auto [at, isNew] = known.try_emplace(line, known.size());
      if (isNew)
        lines.push_back(line);
      numbers.push_back(at->second);
    }
    return numbers;
  }

  Json lines = Json::array();

private:
  std::map<std::string, size_t> known;
};

Json pointsJson(const std::vector<Ranked> &all, const std::vector<Objective> &objectives, size_t networks,
                const std::vector<Space::Key> &keys, Lines &lines) {
  Json points = {{"id", Json::array()},
                 {"machine", Json::array()},
                 {"on_front", Json::array()},
                 {"values", valuesJson(all, objectives)},
                 {"costs", costsJson(all, networks)},
                 {"keys", Json::object()},
                 {"files", Json::array()}};
  for (const Space::Key &key : keys)
    points["keys"][key.name] = Json::array();
  for (const Ranked &one : all) {
    points["id"].push_back(one.point.index);
    points["machine"].push_back(one.point.machine);
    points["on_front"].push_back(one.isOnFront ? 1 : 0);
    points["files"].push_back(lines.numbersOf(isa::writeMachine(one.machine)));
    const std::vector<int> positions = positionsOf(one.point.machine, keys);
    for (size_t i = 0; i < keys.size(); ++i)
      points["keys"][keys[i].name].push_back(positions[i]);
  }
  return points;
}

Json sensitivitiesJson(const std::vector<Ranked> &all, const std::vector<Space::Key> &keys) {
  Json list = Json::array();
  for (const KeyChange &change : sensitivities(all, keys)) {
    Json entry = {{"key", change.key}, {"pairs", change.pairs}};
    if (!change.from.empty()) {
      entry["from"] = change.from;
      entry["to"] = change.to;
    }
    if (change.pairs)
      entry["changes"] = change.changes;
    list.push_back(std::move(entry));
  }
  return list;
}

} // namespace

Json sweepData(const ReportedSweep &sweep, const std::vector<Ranked> &ranked) {
  const std::vector<Objective> objectives = shownObjectives(sweep);
  const std::vector<Ranked> all = withValues(ranked, objectives);
  const std::vector<Space::Key> keys = variedKeys(sweep.space);
  Json shown = Json::array(), asked = Json::array(), axes = Json::array();
  for (const Objective &objective : objectives)
    shown.push_back({{"name", objective.name}, {"meaning", objective.meaning}});
  for (const Objective &objective : sweep.objectives)
    asked.push_back(objective.name);
  for (const Space::Key &key : keys)
    axes.push_back({{"name", key.name}, {"values", key.values}});
  Lines lines;
  Json points = pointsJson(all, objectives, sweep.networks.size(), keys, lines);
  return {{"schema", 1},
          {"version", DAEDALUS_VERSION},
          {"space", sweep.spaceFile},
          {"networks", sweep.networks},
          {"objectives", shown},
          {"front_of", asked},
          {"counts", countsJson(sweep, all)},
          {"skipped", skippedOf(sweep.points)},
          {"keys", axes},
          {"points", std::move(points)},
          {"lines", lines.lines},
          {"sensitivities", sensitivitiesJson(all, keys)}};
}

} // namespace daedalus::explore
