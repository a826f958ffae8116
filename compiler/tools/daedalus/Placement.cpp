#include "Placement.h"
#include "Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace daedalus::cli {
namespace {

/// Layers together.
struct Sum {
  uint64_t layers = 0, macs = 0;
  LayerCost cost;
  std::string first, last; ///< nodes

  void add(const package::Layer &layer, const LayerCost &its) {
    if (layers++ == 0)
      first = layer.node;
    last = layer.node;
    macs += layer.macs;
    cost.bytes += its.bytes;
    cost.cycles += its.cycles;
    cost.microseconds += its.microseconds;
    cost.deviceTicks += its.deviceTicks;
    cost.ticksPerMicrosecond = its.ticksPerMicrosecond;
  }
};

std::string timeOf(const std::string &target, const LayerCost &cost, const Costs &costs) {
  if (!costs.unmeasured.empty())
    return "-";
  if (runsStreams(target))
    return grouped(cost.cycles) + " cycles";
  if (target != fallbackTarget().name())
    return deviceTimeText(cost.deviceTicks, cost.ticksPerMicrosecond);
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", cost.microseconds);
  return text;
}

std::string layersTable(const package::Package &package, const Costs &costs) {
  Table table({"node", "target", ">products", ">bytes", ">time", "reason"}, " | ");
  for (size_t i = 0; i < package.layers.size(); ++i) {
    const package::Layer &layer = package.layers[i];
    const LayerCost &cost = costs.layers[i];
    table.row({layer.node, layer.target, grouped(layer.macs), grouped(cost.bytes),
               timeOf(layer.target, cost, costs), layer.reason});
  }
  return table.text();
}

std::string regionsTable(const package::Package &package, const Costs &costs) {
  std::vector<std::pair<std::string, Sum>> regions;
  for (size_t i = 0; i < package.layers.size(); ++i) {
    const package::Layer &layer = package.layers[i];
    if (regions.empty() || regions.back().first != layer.target)
      regions.push_back({layer.target, {}});
    regions.back().second.add(layer, costs.layers[i]);
  }
  Table table({"region", ">layers", ">products", ">bytes", ">time", "from", "to"});
  for (const auto &[target, sum] : regions)
    table.row({target, grouped(sum.layers), grouped(sum.macs), grouped(sum.cost.bytes),
               timeOf(target, sum.cost, costs), sum.first, sum.last});
  return table.text();
}

/// The most expensive first.
std::string reasonsTable(const package::Package &package, const Costs &costs) {
  const std::string cpu = fallbackTarget().name();
  std::map<std::string, Sum> byReason;
  for (size_t i = 0; i < package.layers.size(); ++i)
    if (package.layers[i].target == cpu)
      byReason[package.layers[i].reason].add(package.layers[i], costs.layers[i]);
  if (byReason.empty())
    return "";
  std::vector<std::pair<std::string, Sum>> reasons(byReason.begin(), byReason.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto &a, const auto &b) {
    return std::pair(a.second.macs, a.second.cost.microseconds) >
           std::pair(b.second.macs, b.second.cost.microseconds);
  });
  Table table({"on " + cpu + ", because", ">layers", ">products", ">bytes", ">time"});
  for (const auto &[reason, sum] : reasons)
    table.row({reason, grouped(sum.layers), grouped(sum.macs), grouped(sum.cost.bytes),
               timeOf(cpu, sum.cost, costs)});
  return "\n" + table.text();
}

} // namespace

std::string placementText(const package::Package &package, const Costs &costs) {
  std::string text = layersTable(package, costs) + "\n" + regionsTable(package, costs) +
                     reasonsTable(package, costs) + "\nbytes: on the accelerator what it loads and stores; " +
                     "elsewhere the operands of the layers\n";
  return text +
         (costs.unmeasured.empty()
              ? "time: cycles of the cycle-level engine, on the CPU microseconds of one run on this host, "
                "on a device by its own clock\n"
              : "time: not measured, because a run on zeros ended: " + costs.unmeasured + "\n");
}

Json placementJson(const package::Package &package, const Costs &costs) {
  Json layers = Json::array();
  for (size_t i = 0; i < package.layers.size(); ++i) {
    const package::Layer &layer = package.layers[i];
    const LayerCost &cost = costs.layers[i];
    const bool isMeasured = costs.unmeasured.empty();
    const bool hasCycles = isMeasured && runsStreams(layer.target);
    const bool hasTime = isMeasured && layer.target == fallbackTarget().name();
    layers.push_back({{"node", layer.node},
                      {"target", layer.target},
                      {"reason", layer.reason},
                      {"macs", layer.macs},
                      {"bytes", cost.bytes},
                      {"cycles", hasCycles ? Json(cost.cycles) : Json()},
                      {"host_us", hasTime ? Json(cost.microseconds) : Json()},
                      {"device_ticks", isMeasured && cost.deviceTicks ? Json(cost.deviceTicks) : Json()}});
  }
  return {{"layers", layers}, {"unmeasured", costs.unmeasured.empty() ? Json() : Json(costs.unmeasured)}};
}

} // namespace daedalus::cli
