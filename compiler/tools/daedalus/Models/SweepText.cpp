// See SweepText.h.
#include "Models/SweepText.h"

#include "Explore/Reasons.h"
#include "Report/Figures.h"
#include "Report/Table.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace daedalus::cli {

using namespace explore;
using namespace report;

namespace {

/// Small numbers with three decimals.
std::string numberText(double value) {
  return value < 1000 && value != std::floor(value) ? report::decimal(value, "%.3f")
                                                    : grouped(static_cast<uint64_t>(value + 0.5));
}

Json costJson(const std::vector<std::string> &models, const PointResult &point) {
  Json networks = Json::object();
  for (size_t i = 0; i < point.networks.size(); ++i)
    if (const std::optional<Cost> &cost = point.networks[i].cost)
      networks[models[i]] = {{"cycles", cost->cycles},
                             {"bound_cycles", cost->boundCycles},
                             {"dram_bytes", cost->dramBytes},
                             {"estimated_pj", cost->picojoules},
                             {"host_layers", cost->hostLayers}};
    else
      networks[models[i]] = {{"refused", point.networks[i].refused}};
  return networks;
}

std::string quoted(const std::string &text) {
  return text.find_first_of(",\"\n") == std::string::npos ? text : "\"" + text + "\"";
}

} // namespace

/// "812 machines, 188 skipped (most often: not bus_bytes <= n)".
std::string countsText(const std::vector<PointResult> &points, size_t compared) {
  std::map<std::string, uint64_t> reasons;
  uint64_t skipped = 0;
  for (const PointResult &point : points)
    if (!point.skipped.empty()) {
      ++skipped;
      ++reasons[point.skipped];
    }
  std::string text = grouped(points.size()) + " points: " + grouped(points.size() - skipped) + " machines";
  if (skipped) {
    const auto most = std::max_element(reasons.begin(), reasons.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    text += ", " + grouped(skipped) + " skipped (most often: " + most->first + ")";
  }
  const size_t machines = points.size() - skipped;
  if (compared < machines)
    text +=
        "; " + grouped(machines - compared) +
        " machines are not compared: a network does not compile, or more of its layers run on the host's CPU";
  return text + "\n";
}

/// Where there is nothing to compare.
std::string noMachineText(const std::vector<PointResult> &points, const std::vector<std::string> &models) {
  constexpr size_t most = 10;
  std::vector<Reason> reasons = reasonsOf(points, models);
  Table table({">points", "reason"});
  for (size_t i = 0; i < std::min(most, reasons.size()); ++i)
    table.row({grouped(reasons[i].points), reasons[i].text});
  return "no machine runs all networks:\n\n" + table.text() +
         (reasons.size() > most ? "and " + grouped(reasons.size() - most) + " reasons of fewer points\n"
                                : "");
}

std::string frontText(const std::vector<Ranked> &all, const std::vector<Objective> &objectives,
                      uint64_t top) {
  std::vector<std::string> headers;
  for (const Objective &objective : objectives)
    headers.push_back(">" + objective.name);
  headers.push_back("machine");
  Table table(headers);
  uint64_t rows = 0, front = 0;
  for (const Ranked &one : all) {
    front += one.isOnFront;
    if (!one.isOnFront || ++rows > top)
      continue;
    std::vector<std::string> cells;
    for (const double value : one.values)
      cells.push_back(numberText(value));
    cells.push_back(one.point.machine);
    table.row(cells);
  }
  return "no machine is better in one of these and as good in the others than " + grouped(front) +
         " machines" + (front > top ? ", the first " + grouped(top) + " of them" : "") + ":\n\n" +
         table.text();
}

Json resultsJson(const std::vector<std::string> &models, const std::vector<PointResult> &points,
                 const std::vector<Ranked> &all) {
  Json list = Json::array(), front = Json::array();
  for (const PointResult &point : points) {
    Json entry = {{"point", point.index}, {"machine", point.machine}};
    if (point.skipped.empty())
      entry["networks"] = costJson(models, point);
    else
      entry["skipped"] = point.skipped;
    list.push_back(std::move(entry));
  }
  for (const Ranked &one : all)
    if (one.isOnFront)
      front.push_back(one.point.index);
  return {{"schema", 1}, {"version", DAEDALUS_VERSION}, {"points", list}, {"front", front}};
}

/// A line for each machine and network, with all keys of the machine.
std::string csvText(const std::vector<std::string> &models, const std::vector<PointResult> &points) {
  std::string text =
      "point,machine,network,cycles,bound_cycles,dram_bytes,estimated_pj,host_layers,refused\n";
  for (const PointResult &point : points)
    for (size_t i = 0; i < point.networks.size(); ++i) {
      const Outcome &outcome = point.networks[i];
      text += std::to_string(point.index) + "," + quoted(point.machine) + "," + quoted(models[i]);
      if (const std::optional<Cost> &cost = outcome.cost)
        text += "," + std::to_string(cost->cycles) + "," + std::to_string(cost->boundCycles) + "," +
                std::to_string(cost->dramBytes) + "," + std::to_string(cost->picojoules) + "," +
                std::to_string(cost->hostLayers) + ",\n";
      else
        text += ",,,,,," + quoted(outcome.refused) + "\n";
    }
  return text;
}

} // namespace daedalus::cli
