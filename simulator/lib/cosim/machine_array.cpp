// A covering array by a greedy search: each machine has a pair of ends that none before it has, and as many
// others as it finds, group by group.
#include "cosim/machine_ends.h"
#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

#include <algorithm>
#include <map>
#include <set>

namespace daedalus::cosim {
namespace {

using Ends = std::vector<size_t>;

/// A set of pairs of ends; an end with itself is the end alone.
class Pairs {
public:
  Pairs() : has(machineEnds().size() * machineEnds().size()) {}
  bool contains(size_t a, size_t b) const { return has[at(a, b)]; }
  void insert(size_t a, size_t b) { has[at(a, b)] = true; }
  void insertAll(const Ends &ends) {
    for (size_t a : ends)
      for (size_t b : ends)
        insert(a, b);
  }
  void erase(size_t a, size_t b) { has[at(a, b)] = false; }
  /// How many pairs of these ends, and of these with `others`, are in it.
  size_t count(const Ends &ends, const Ends &others) const {
    size_t found = 0;
    for (size_t a : ends) {
      for (size_t b : ends)
        found += a <= b && contains(a, b);
      for (size_t b : others)
        found += contains(a, b);
    }
    return found;
  }

private:
  static size_t at(size_t a, size_t b) { return std::min(a, b) * machineEnds().size() + std::max(a, b); }
  std::vector<bool> has;
};

using GroupsByN = std::map<uint32_t, std::vector<MachineGroup>>;

GroupsByN allGroups(uint64_t seed, const MachineCondition *ignored = nullptr) {
  GroupsByN groups;
  const isa::MachineKey &n = isa::MachineKeys.front();
  for (uint32_t value = n.minimum; value <= n.maximum; value *= 2)
    groups[value] = machineGroups(value, seed, ignored);
  return groups;
}

/// The pairs that some machine has: of one point, or of points of two groups.
Pairs possiblePairs(const GroupsByN &byN) {
  Pairs pairs;
  for (const auto &[n, groups] : byN) {
    for (const MachineGroup &group : groups)
      for (const MachinePoint &point : group.points)
        pairs.insertAll(point.ends);
    std::vector<std::set<size_t>> ends;
    for (const MachineGroup &group : groups) {
      std::set<size_t> ofGroup;
      for (const MachinePoint &point : group.points)
        ofGroup.insert(point.ends.begin(), point.ends.end());
      for (const std::set<size_t> &other : ends)
        for (size_t a : ofGroup)
          for (size_t b : other)
            pairs.insert(a, b);
      ends.push_back(std::move(ofGroup));
    }
  }
  return pairs;
}

class Search {
public:
  /// Steps of the state as seeds would give neighbours the same numbers.
  explicit Search(uint64_t seed)
      : random(Random(seed).bits()), byN(allGroups(random.bits())), missing(possiblePairs(byN)) {}

  std::vector<isa::Machine> machines() {
    std::vector<isa::Machine> found;
    for (size_t a = 0; a < machineEnds().size(); ++a)
      for (size_t b = a; b < machineEnds().size(); ++b)
        if (missing.contains(a, b))
          found.push_back(next({a, b}));
    return found;
  }

private:
  /// A machine with these ends. Of several tries the one with the most pairs that are missing.
  isa::Machine next(const Ends &wanted) {
    isa::Machine best;
    Ends ends;
    size_t most = 0;
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      Ends chosen;
      const isa::Machine machine = draw(wanted, chosen);
      if (const size_t found = missing.count(chosen, {}); found > most)
        most = found, best = machine, ends = chosen;
    }
    for (size_t a : ends)
      for (size_t b : ends)
        missing.erase(a, b);
    return best;
  }

  isa::Machine draw(const Ends &wanted, Ends &chosen) {
    std::vector<uint32_t> sizes;
    for (const auto &size : byN)
      if (std::all_of(wanted.begin(), wanted.end(),
                      [&](size_t end) { return canBeAt(size.second, wanted, end); }))
        sizes.push_back(size.first);
    const std::vector<MachineGroup> &groups = byN.at(oneOf(sizes));
    std::vector<const MachineGroup *> order;
    for (const MachineGroup &group : groups)
      order.insert(order.begin() + random.between(0, static_cast<int64_t>(order.size())), &group);
    isa::Machine machine;
    for (const MachineGroup *group : order) {
      const MachinePoint &point = bestPoint(*group, wanted, chosen);
      const std::vector<uint32_t> &values = oneOf(point.values);
      for (size_t i = 0; i < group->keys.size(); ++i)
        machine.*group->keys[i]->member = values[i];
      chosen.insert(chosen.end(), point.ends.begin(), point.ends.end());
    }
    return machine;
  }

  /// Whether a group has a point with the end, and with those of the wanted ends that are the group's too.
  static bool canBeAt(const std::vector<MachineGroup> &groups, const Ends &wanted, size_t end) {
    return std::any_of(groups.begin(), groups.end(), [&](const MachineGroup &group) {
      const Ends own = ofGroup(group, wanted);
      return contains(own, end) && std::any_of(group.points.begin(), group.points.end(),
                                               [&](const MachinePoint &point) { return hasAll(point, own); });
    });
  }

  static bool contains(const Ends &ends, size_t end) {
    return std::find(ends.begin(), ends.end(), end) != ends.end();
  }
  static bool hasAll(const MachinePoint &point, const Ends &ends) {
    return std::all_of(ends.begin(), ends.end(), [&](size_t end) { return contains(point.ends, end); });
  }
  static Ends ofGroup(const MachineGroup &group, const Ends &ends) {
    Ends own;
    for (size_t end : ends)
      if (std::any_of(group.points.begin(), group.points.end(),
                      [&](const MachinePoint &point) { return contains(point.ends, end); }))
        own.push_back(end);
    return own;
  }

  /// Of the points with the wanted ends the one with the most missing pairs; of several such any.
  const MachinePoint &bestPoint(const MachineGroup &group, const Ends &wanted, const Ends &chosen) {
    const Ends own = ofGroup(group, wanted);
    std::vector<const MachinePoint *> best;
    size_t most = 0;
    for (const MachinePoint &point : group.points) {
      if (!hasAll(point, own))
        continue;
      const size_t found = missing.count(point.ends, chosen);
      if (found > most)
        best.clear();
      most = std::max(most, found);
      if (found == most)
        best.push_back(&point);
    }
    return *oneOf(best);
  }

  template <class T> const T &oneOf(const std::vector<T> &from) {
    return from[static_cast<size_t>(random.between(0, static_cast<int64_t>(from.size()) - 1))];
  }

  Random random;
  GroupsByN byN;
  Pairs missing;
};

} // namespace

std::vector<isa::Machine> machineArray(uint64_t seed) {
  std::vector<isa::Machine> machines = Search(seed).machines();
  for (size_t i = 0; i < machines.size(); ++i)
    machines[i].name = "array" + std::to_string(seed) + "_" + std::to_string(i);
  return machines;
}

std::vector<isa::Machine> machineArrays(uint64_t seed, size_t count) {
  std::vector<isa::Machine> machines;
  for (; machines.size() < count; ++seed)
    for (isa::Machine &machine : machineArray(seed))
      if (machines.size() < count)
        machines.push_back(std::move(machine));
  return machines;
}

std::vector<MachinePair> machinePairs() {
  const Pairs possible = possiblePairs(allGroups(0));
  std::vector<Pairs> without;
  for (const MachineCondition &condition : machineConditions())
    without.push_back(possiblePairs(allGroups(0, &condition)));
  std::vector<MachinePair> pairs;
  const auto &ends = machineEnds();
  for (size_t a = 0; a < ends.size(); ++a)
    for (size_t b = a; b < ends.size(); ++b) {
      const bool contradict = a != b && ends[a].key && ends[a].key == ends[b].key;
      const bool alone = a != b && (!possible.contains(a, a) || !possible.contains(b, b));
      if (contradict || alone) // one key at both ends, and what a single end says already
        continue;
      MachinePair pair{ends[a].text, ends[b].text, possible.contains(a, b), {}, nullptr};
      pair.has = [&ends, a, b](const isa::Machine &machine) {
        return isAt(ends[a], machine) && isAt(ends[b], machine);
      };
      for (size_t i = 0; i < without.size(); ++i)
        if (!pair.possible && without[i].contains(a, b))
          pair.forbiddenBy.push_back(machineConditions()[i].text);
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

} // namespace daedalus::cosim
