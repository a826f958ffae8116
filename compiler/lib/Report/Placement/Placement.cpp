#include "Report/Placement/Placement.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace daedalus::report {
namespace {

/// Layers together.
struct Sum {
  uint64_t layers = 0, macs = 0;
  tuning::LayerCost cost;
  std::string first, last; ///< nodes

  void add(const package::Layer &layer, const tuning::LayerCost &its) {
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

std::string timeOf(const std::string &target, const tuning::LayerCost &cost, const tuning::Costs &costs) {
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

bool isPriced(const Compiled &compiled) {
  return std::any_of(compiled.prices.begin(), compiled.prices.end(),
                     [](const LayerPrices &prices) { return !prices.empty(); });
}

std::string micros(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", value);
  return text;
}

/// On the layer's target, and on others that it could have run on: "12.3 us, not 45.6 us on cpu".
std::string pricesOf(const package::Layer &layer, const LayerPrices &prices) {
  const auto own = prices.find(layer.target);
  std::string text = own == prices.end() ? "-" : micros(own->second);
  for (const auto &[target, price] : prices)
    if (target != layer.target)
      text += (text.find(", not ") == std::string::npos ? ", not " : ", ") + micros(price) + " on " + target;
  return text;
}

std::string layersTable(const Compiled &compiled, const tuning::Costs &costs) {
  std::vector<std::string> head = {"node", "target", ">products", ">bytes", ">time", "reason"};
  const bool hasPrices = isPriced(compiled);
  if (hasPrices)
    head.insert(head.end() - 1, "price");
  Table table(head, " | ");
  for (size_t i = 0; i < compiled.package.layers.size(); ++i) {
    const package::Layer &layer = compiled.package.layers[i];
    const tuning::LayerCost &cost = costs.layers[i];
    std::vector<std::string> row = {layer.node,
                                    layer.target,
                                    grouped(layer.macs),
                                    grouped(cost.bytes),
                                    timeOf(layer.target, cost, costs),
                                    layer.reason};
    if (hasPrices)
      row.insert(row.end() - 1, pricesOf(layer, compiled.prices[i]));
    table.row(row);
  }
  return table.text();
}

/// Between the host's memory and that of a target.
struct Copy {
  std::string node; ///< of the layer that it is for
  const Target *target = nullptr;
  bool isBack = false;
  uint64_t bytes = 0;
  double price = 0; ///< in microseconds
};

/// Those of a run, in order; of two between devices that go by way of the host, both.
std::vector<Copy> copiesOf(const Compiled &compiled) {
  std::vector<Copy> copies;
  for (const package::Step &step : compiled.package.functions.front().steps)
    if (step.kind == package::Step::Kind::Copy && step.layer != package::noLayer)
      for (const package::Ref *ref : {&step.inputs[0], &step.outputs[0]}) {
        if (package::isShared(ref->space))
          continue;
        const package::Layer &layer = compiled.package.layers[step.layer];
        const Target &target = *findTarget(layer.target);
        copies.push_back({layer.node, &target, ref == &step.inputs[0], ref->bytes,
                          target.copyCost(ref->bytes, *compiled.states->of(target))});
      }
  return copies;
}

/// A target with a memory of its own pays for what is copied there or back.
double copyPrices(const Compiled &compiled) {
  double sum = 0;
  for (const Copy &copy : copiesOf(compiled))
    sum += copy.price;
  return sum;
}

std::string directionOf(const Copy &copy) {
  return (copy.isBack ? "from " : "to ") + copy.target->name();
}

/// Empty where there are none.
std::string copiesTable(const Compiled &compiled) {
  const std::vector<Copy> copies = copiesOf(compiled);
  if (copies.empty())
    return "";
  std::vector<std::string> head = {"copy", "for", ">bytes"};
  if (isPriced(compiled))
    head.push_back(">price");
  Table table(head);
  for (const Copy &copy : copies) {
    std::vector<std::string> row = {directionOf(copy), copy.node, grouped(copy.bytes)};
    if (isPriced(compiled))
      row.push_back(micros(copy.price));
    table.row(row);
  }
  return "\n" + table.text();
}

/// What the layers were to cost where they are, copies included; nothing where they have no prices.
std::optional<double> predicted(const Compiled &compiled) {
  if (!isPriced(compiled))
    return std::nullopt;
  double sum = copyPrices(compiled);
  for (size_t i = 0; i < compiled.prices.size(); ++i)
    if (const auto own = compiled.prices[i].find(compiled.package.layers[i].target);
        own != compiled.prices[i].end())
      sum += own->second;
  return sum;
}

/// What they cost: cycles at the clock, microseconds of the CPU, ticks of devices, copies. Nothing without a
/// clock.
std::optional<double> measured(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz) {
  if (!costs.unmeasured.empty() || !clockMhz || !isPriced(compiled))
    return std::nullopt;
  double sum = 0;
  for (const tuning::LayerCost &cost : costs.layers) {
    if (cost.deviceTicks && cost.ticksPerMicrosecond <= 0)
      return std::nullopt; // of a simulator, which are no time
    sum += static_cast<double>(cost.cycles) / static_cast<double>(clockMhz) + cost.microseconds +
           cost.copyMicroseconds;
    if (cost.deviceTicks)
      sum += static_cast<double>(cost.deviceTicks) / cost.ticksPerMicrosecond;
  }
  return sum;
}

std::string totalText(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz) {
  const std::optional<double> price = predicted(compiled), cost = measured(compiled, costs, clockMhz);
  if (!price)
    return "";
  std::string text = "price: " + micros(*price) + " for all layers and copies where they are";
  if (cost)
    text += "; measured: " + micros(*cost) + ", with cycles of " + std::to_string(clockMhz) + " MHz";
  return text + "\n";
}

std::string regionsTable(const package::Package &package, const tuning::Costs &costs) {
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
std::string reasonsTable(const package::Package &package, const tuning::Costs &costs) {
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

std::string placementText(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz) {
  const package::Package &package = compiled.package;
  std::string text = layersTable(compiled, costs) + "\n" + regionsTable(package, costs) +
                     reasonsTable(package, costs) + copiesTable(compiled) +
                     "\nbytes: on the accelerator what it loads and stores; " +
                     "elsewhere the operands of the layers\n";
  return text + totalText(compiled, costs, clockMhz) +
         (costs.unmeasured.empty()
              ? "time: cycles of the cycle-level engine, on the CPU microseconds on this host, medians of up "
                "to five runs, "
                "on a device by its own clock\n"
              : "time: not measured, because a run on zeros ended: " + costs.unmeasured + "\n");
}

Json placementJson(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz) {
  const package::Package &package = compiled.package;
  const auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  Json layers = Json::array();
  for (size_t i = 0; i < package.layers.size(); ++i) {
    const package::Layer &layer = package.layers[i];
    const tuning::LayerCost &cost = costs.layers[i];
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
                      {"device_ticks", isMeasured && cost.deviceTicks ? Json(cost.deviceTicks) : Json()},
                      {"prices", compiled.prices[i].empty() ? Json() : Json(compiled.prices[i])}});
  }
  Json copies = Json::array();
  for (const Copy &copy : copiesOf(compiled))
    copies.push_back({{"node", copy.node},
                      {"target", copy.target->name()},
                      {"back", copy.isBack},
                      {"bytes", copy.bytes},
                      {"price", isPriced(compiled) ? Json(copy.price) : Json()}});
  return {{"layers", layers},
          {"copies", copies},
          {"predicted_us", number(predicted(compiled))},
          {"measured_us", number(measured(compiled, costs, clockMhz))},
          {"unmeasured", costs.unmeasured.empty() ? Json() : Json(costs.unmeasured)}};
}

} // namespace daedalus::report
