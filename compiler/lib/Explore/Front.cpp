// See Front.h.
#include "Explore/Front.h"

#include "Explore/Preferences.h"
#include "Report/Area/MachineArea.h"

#include <algorithm>
#include <cmath>

namespace daedalus::explore {
namespace {

using Costs = std::vector<Cost>;
using Weights = std::vector<double>;

template <class Number> double mean(const Costs &costs, const Weights &weights, Number number) {
  if (costs.size() == 1) // exactly
    return std::max(double(number(costs.front())), 1.0);
  double logarithms = 0, sum = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    logarithms += weight * std::log(std::max(double(number(costs[i])), 1.0));
    sum += weight;
  }
  return std::exp(logarithms / sum);
}

bool beats(const Ranked &a, const Ranked &b) {
  bool isBetter = false;
  for (size_t i = 0; i < a.values.size(); ++i) {
    if (a.values[i] > b.values[i])
      return false;
    isBetter = isBetter || a.values[i] < b.values[i];
  }
  return isBetter;
}

/// By network, the fewest layers on the host's CPU.
std::vector<uint64_t> fewestHostLayers(const std::vector<PointResult> &points) {
  std::vector<uint64_t> fewest;
  for (const PointResult &point : points)
    for (size_t i = 0; i < point.networks.size(); ++i) {
      fewest.resize(std::max(fewest.size(), i + 1), UINT64_MAX);
      if (point.networks[i].cost)
        fewest[i] = std::min(fewest[i], point.networks[i].cost->hostLayers);
    }
  return fewest;
}

/// The costs at the point, or none where they do not compare with those of others.
std::vector<Cost> costsOf(const PointResult &point, const std::vector<uint64_t> &fewest) {
  std::vector<Cost> costs;
  for (size_t i = 0; i < point.networks.size(); ++i) {
    const std::optional<Cost> &cost = point.networks[i].cost;
    if (!cost || cost->cycles == 0 || cost->hostLayers != fewest[i])
      return {};
    costs.push_back(*cost);
  }
  return costs;
}

} // namespace

const std::vector<Objective> &objectives() {
  static const std::vector<Objective> all = {
      {"cycles", "cycles of a run",
       [](const isa::Machine &, const Costs &costs, const Weights &weights) {
         return mean(costs, weights, [](const Cost &cost) { return cost.cycles; });
       }},
      {"microseconds", "microseconds of a run at the machine's clock_mhz",
       [](const isa::Machine &machine, const Costs &costs, const Weights &weights) {
         return mean(costs, weights, [](const Cost &cost) { return cost.cycles; }) / machine.clockMhz;
       },
       /*ofMachine=*/false,
       /*needsClock=*/true},
      {"dram_bytes", "bytes that LOAD and STORE move in a run",
       [](const isa::Machine &, const Costs &costs, const Weights &weights) {
         return mean(costs, weights, [](const Cost &cost) { return cost.dramBytes; });
       }},
      {"energy", "estimated picojoules of a run",
       [](const isa::Machine &, const Costs &costs, const Weights &weights) {
         return mean(costs, weights, [](const Cost &cost) { return cost.picojoules; });
       }},
      {"multipliers", "multipliers of the array",
       [](const isa::Machine &machine, const Costs &, const Weights &) {
         return double(machine.n) * machine.n;
       },
       true},
      {"scratchpad_bits", "bits of all scratchpads",
       [](const isa::Machine &machine, const Costs &, const Weights &) {
         return double(scratchpadBits(machine));
       },
       true},
      {"gates", "gates of the logic (NAND2), estimated",
       [](const isa::Machine &machine, const Costs &, const Weights &) {
         return report::areaOf(machine, report::defaultAreaTable()).gates;
       },
       true},
      {"area", "mm2 in 45 nm, estimated",
       [](const isa::Machine &machine, const Costs &, const Weights &) {
         const report::MachineArea area = report::areaOf(machine, report::defaultAreaTable());
         return area.logic + area.ram;
       },
       true},
      {"bus_bytes", "bytes per beat of the bus",
       [](const isa::Machine &machine, const Costs &, const Weights &) { return double(machine.busBytes); },
       true},
  };
  return all;
}

bool isKnown(const Objective &objective, const Space &space) {
  return !objective.needsClock || space.hasValueOf("clock_mhz");
}

/// Of "cycles", or of "cycles:a.onnx".
static Result<Objective> objectiveOf(const std::string &text, const std::vector<std::string> &networks,
                                     const Weights &weights) {
  const std::string name = text.substr(0, text.find(':'));
  std::string known;
  for (Objective objective : objectives()) {
    known += (known.empty() ? "" : ", ") + objective.name;
    if (objective.name != name)
      continue;
    objective.weights = weights;
    if (name.size() == text.size())
      return objective;
    if (objective.ofMachine)
      return error("the objective '" + text + "' names a network, but " + name +
                   " depends on the machine alone");
    const Result<size_t> network = networkOf(text.substr(name.size() + 1), networks);
    if (!network)
      return error("the objective '" + text + "': " + network.error());
    objective.name = text;
    objective.weights.assign(networks.size(), 0);
    objective.weights[*network] = 1;
    return objective;
  }
  return error("the objective '" + name + "' is unknown; expected one or more of " + known);
}

Result<std::vector<Objective>> objectivesOf(const std::string &list, const std::vector<std::string> &networks,
                                            const std::vector<double> &weights) {
  std::vector<Objective> chosen;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    Result<Objective> objective = objectiveOf(list.substr(begin, end - begin), networks, weights);
    if (!objective)
      return error(objective.error());
    chosen.push_back(std::move(*objective));
    begin = end + 1;
  }
  return chosen;
}

std::vector<Ranked> ranked(const std::vector<PointResult> &points, const std::vector<Objective> &objectives) {
  const std::vector<uint64_t> fewest = fewestHostLayers(points);
  std::vector<Ranked> all;
  for (const PointResult &point : points) {
    const std::vector<Cost> costs = costsOf(point, fewest);
    const Result<isa::Machine> machine = isa::loadMachine(point.machine);
    if (costs.empty() || !machine)
      continue;
    Ranked ranked{point, *machine, {}};
    for (const Objective &objective : objectives)
      ranked.values.push_back(objective.at(*machine, costs));
    all.push_back(std::move(ranked));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked &a, const Ranked &b) { return a.values < b.values; });
  for (Ranked &one : all) // what beats it stands before it
    one.isOnFront = std::none_of(all.data(), &one, [&](const Ranked &other) { return beats(other, one); });
  return all;
}

} // namespace daedalus::explore
