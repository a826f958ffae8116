// See Profiles.h.
#include "Explore/Report/Profiles.h"

#include "Explore/ForkedWorkers.h"
#include "Report/Certificate.h"
#include "Report/Profile/CountersJson.h"
#include "Report/Profile/LayerFigures.h"
#include "Report/Profile/WhatIf.h"
#include "daedalus/simulator/program_profile.h"

#include "llvm/Support/Parallel.h"

#include <algorithm>

namespace daedalus::explore {
namespace {

using report::Json;

/// Of a call of the package's first function. Data do not matter.
Result<runtime::RunResult> profiledRun(const package::Package &package, const isa::Machine &machine) {
  runtime::RunResult result;
  for (const package::Step &step : package.functions.front().steps) {
    if (step.kind != package::Step::Kind::Start)
      continue;
    Result<sim::Profile> profile = sim::profileOf(machine, report::placedProgram(package, step.index));
    if (!profile)
      return error(profile.error());
    result.cycles += profile->cycles;
    result.profiles.push_back({step.index, std::make_shared<const sim::Profile>(std::move(*profile))});
  }
  return result;
}

Json layerJson(const package::Layer &layer, const report::ProfileSums &sums,
               const report::LayerFigures &figures) {
  Json entry = {{"node", layer.node},
                {"target", layer.target},
                {"macs", layer.macs},
                {"path_cycles", sums.pathCycles()},
                {"path", report::countersJson(sums.path)},
                {"read_bytes", figures.bytes.read},
                {"written_bytes", figures.bytes.written}};
  if (figures.bound)
    entry["bound_cycles"] = figures.bound;
  if (const std::string limit = report::limitOf(sums.path); limit != "-")
    entry["limited_by"] = limit;
  return entry;
}

Result<Json> profileJson(const std::string &network, const package::Package &package,
                         const isa::Machine &machine, bool changes) {
  const Result<runtime::RunResult> result = profiledRun(package, machine);
  if (!result)
    return error(network + ": " + result.error());
  const report::ProfiledRun run{network, "systemc", &machine, package, *result};
  const std::vector<report::ProfileSums> sums = report::profileSums(*result, package);
  const std::vector<report::LayerFigures> figures = report::layerFigures(run);
  Json json = {{"cycles", result->cycles}, {"layers", Json::array()}};
  for (size_t i = 0; i < package.layers.size(); ++i)
    json["layers"].push_back(layerJson(package.layers[i], sums[i], figures[i]));
  json["none"] = {{"path_cycles", sums.back().pathCycles()},
                  {"path", report::countersJson(sums.back().path)}};
  if (!changes)
    return json;
  const auto whatIfs = report::whatIfs(run, nullptr);
  if (!whatIfs)
    return error(network + ": " + whatIfs.error());
  json["what_if"] = report::whatIfJson(*whatIfs);
  return json;
}

/// What a worker answers: the profile, or {"error": ...}.
Json answerOf(Networks &networks, size_t network, const Ranked &point, bool changes) {
  const auto fault = [&](const std::string &text) { return Json{{"error", text}}; };
  const Result<package::Package> package = networks.packageOf(network, point.machine);
  if (!package)
    return fault(package.error());
  const Result<Json> profile = profileJson(networks.name(network), *package, point.machine, changes);
  if (!profile)
    return fault(profile.error());
  const uint64_t found = (*profile)["cycles"], stored = point.point.networks[network].cost->cycles;
  if (found != stored)
    return fault("the database says " + std::to_string(stored) + " cycles of '" + networks.name(network) +
                 "' on machine " + point.point.machine + ", and a run takes " + std::to_string(found) +
                 "; expected the same; make the sweep again with another --db");
  return *profile;
}

} // namespace

std::vector<size_t> thinned(std::vector<size_t> points, size_t most) {
  if (points.size() <= most)
    return points;
  std::vector<size_t> kept;
  for (size_t i = 0; i < most; ++i)
    kept.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return kept;
}

std::vector<size_t> frontOf(const std::vector<Ranked> &all) {
  std::vector<size_t> front;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].isOnFront)
      front.push_back(i);
  return front;
}

Result<Json> frontProfiles(const std::vector<Ranked> &all, Networks &networks, unsigned workers,
                           const std::function<void(uint64_t, uint64_t)> &progress) {
  const std::vector<size_t> points = thinned(frontOf(all), mostProfiled),
                            changed = thinned(points, mostChanged);
  const uint64_t tasks = points.size() * networks.size();
  Json profiles = Json::object();
  for (const size_t point : points)
    profiles[std::to_string(all[point].point.index)] = Json::array();
  uint64_t given = 0, done = 0;
  ForkedWorkers pool(std::max(1u, std::min<unsigned>(workers, unsigned(tasks))), [&](uint64_t task) {
    llvm::parallel::strategy = llvm::hardware_concurrency(1); // each worker is one of as many as are wanted
    const size_t point = points[task / networks.size()];
    const bool changes = std::find(changed.begin(), changed.end(), point) != changed.end();
    return answerOf(networks, task % networks.size(), all[point], changes).dump();
  });
  const auto next = [&] { return given < tasks ? std::optional<uint64_t>(given++) : std::nullopt; };
  const auto take = [&](uint64_t task, const std::string &answer, bool hasCrashed) -> Result<void> {
    const Ranked &point = all[points[task / networks.size()]];
    if (hasCrashed)
      return error("the worker that profiled machine " + point.point.machine + " ended without an answer");
    Json profile = Json::parse(answer);
    if (profile.contains("error"))
      return error(profile["error"].get<std::string>());
    profiles[std::to_string(point.point.index)][task % networks.size()] = std::move(profile);
    progress(++done, tasks);
    return {};
  };
  if (const Result<void> ran = pool.run(next, take); !ran)
    return error(ran.error());
  return profiles;
}

} // namespace daedalus::explore
