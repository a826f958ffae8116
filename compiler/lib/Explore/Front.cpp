// See Front.h.
#include "Explore/Front.h"

#include "Report/Area/MachineArea.h"

#include <algorithm>
#include <cmath>

namespace daedalus::explore {
namespace {

template <class Number> double mean(const std::vector<Cost> &costs, Number number) {
  double logarithms = 0;
  for (const Cost &cost : costs)
    logarithms += std::log(std::max(double(number(cost)), 1.0));
  return std::exp(logarithms / double(costs.size()));
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
       [](const isa::Machine &, const std::vector<Cost> &costs) {
         return mean(costs, [](const Cost &cost) { return cost.cycles; });
       }},
      {"microseconds", "microseconds of a run at the machine's clock_mhz",
       [](const isa::Machine &machine, const std::vector<Cost> &costs) {
         return mean(costs, [](const Cost &cost) { return cost.cycles; }) / machine.clockMhz;
       }},
      {"dram_bytes", "bytes that LOAD and STORE move in a run",
       [](const isa::Machine &, const std::vector<Cost> &costs) {
         return mean(costs, [](const Cost &cost) { return cost.dramBytes; });
       }},
      {"energy", "estimated picojoules of a run",
       [](const isa::Machine &, const std::vector<Cost> &costs) {
         return mean(costs, [](const Cost &cost) { return cost.picojoules; });
       }},
      {"multipliers", "multipliers of the array",
       [](const isa::Machine &machine, const std::vector<Cost> &) { return double(machine.n) * machine.n; }},
      {"scratchpad_bits", "bits of all scratchpads",
       [](const isa::Machine &machine, const std::vector<Cost> &) {
         return double(scratchpadBits(machine));
       }},
      {"area", "mm2 in 45 nm, estimated",
       [](const isa::Machine &machine, const std::vector<Cost> &) {
         const report::MachineArea area = report::areaOf(machine, report::defaultAreaTable());
         return area.logic + area.ram;
       }},
      {"bus_bytes", "bytes per beat of the bus",
       [](const isa::Machine &machine, const std::vector<Cost> &) { return double(machine.busBytes); }},
  };
  return all;
}

Result<std::vector<Objective>> objectivesOf(const std::string &list) {
  std::vector<Objective> chosen;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const auto found = std::find_if(objectives().begin(), objectives().end(),
                                    [&](const Objective &objective) { return name == objective.name; });
    if (found == objectives().end()) {
      std::string known;
      for (const Objective &objective : objectives())
        known += (known.empty() ? "" : ", ") + std::string(objective.name);
      return error("the objective '" + name + "' is unknown; expected one or more of " + known);
    }
    chosen.push_back(*found);
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
      ranked.values.push_back(objective.of(*machine, costs));
    all.push_back(std::move(ranked));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked &a, const Ranked &b) { return a.values < b.values; });
  for (Ranked &one : all) // what beats it stands before it
    one.isOnFront = std::none_of(all.data(), &one, [&](const Ranked &other) { return beats(other, one); });
  return all;
}

} // namespace daedalus::explore
