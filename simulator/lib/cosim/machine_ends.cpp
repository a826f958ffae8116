// Nothing here names a key but N: keys, ranges and conditions are the tables that isa.yaml gives.
#include "cosim/machine_ends.h"

#include "cosim/random.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <set>

namespace daedalus::cosim {
namespace {

using isa::MachineKey;
using isa::MachineParameters;

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::vector<const MachineKey *> keysIn(const std::string &text) {
  std::vector<const MachineKey *> found;
  for (const MachineKey &key : isa::MachineKeys) {
    const std::string name = key.name;
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
      if ((at == 0 || !isWord(text[at - 1])) && !isWord(text[at + name.size()])) {
        found.push_back(&key);
        break;
      }
  }
  return found;
}

const MachineKey &keyOf(const char *name) {
  return *std::find_if(isa::MachineKeys.begin(), isa::MachineKeys.end(),
                       [&](const MachineKey &key) { return std::strcmp(key.name, name) == 0; });
}

MachineCondition bound(const MachineKey &less, const MachineKey &more) {
  return {std::string(less.name) + " <= " + more.name, {&less, &more}, nullptr};
}

std::vector<MachineCondition> makeConditions() {
  std::vector<MachineCondition> conditions;
  for (const isa::MachineConstraint &constraint : isa::MachineConstraints)
    conditions.push_back({constraint.text, keysIn(constraint.text), constraint.holds});
  for (const MachineKey &key : isa::MachineKeys) {
    if (key.atMost)
      conditions.push_back(bound(key, keyOf(key.atMost)));
    if (key.atLeast)
      conditions.push_back(bound(keyOf(key.atLeast), key));
  }
  return conditions;
}

std::vector<MachineEnd> makeEnds() {
  std::vector<MachineEnd> ends;
  for (const MachineKey &key : isa::MachineKeys)
    for (uint32_t value : {key.minimum, key.maximum})
      ends.push_back({std::string(key.name) + " = " + std::to_string(value), {&key}, &key, value, 0});
  for (const MachineCondition &condition : machineConditions())
    ends.push_back({condition.text + " is tight", condition.keys, nullptr, 0,
                    static_cast<size_t>(&condition - machineConditions().data())});
  return ends;
}

bool isTight(const MachineCondition &condition, MachineParameters machine) {
  for (const MachineKey *key : condition.keys) {
    const uint32_t value = machine.*key->member;
    machine.*key->member = key->powerOfTwo ? 2 * value : value + 1;
    bool breaks = !holds(condition, machine);
    machine.*key->member = key->powerOfTwo ? value / 2 : value - 1;
    breaks |= !holds(condition, machine);
    machine.*key->member = value;
    if (!breaks)
      return false;
  }
  return holds(condition, machine);
}

bool contains(const std::vector<const MachineKey *> &keys, const MachineKey *key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Enumerates one group, key by key; a condition is tested when the last of its keys has a value.
class Enumeration {
public:
  Enumeration(MachineGroup &group, uint32_t n, uint64_t seed, const MachineCondition *ignored)
      : group(group), random(seed), ignored(ignored) {
    machine.n = n;
    assigned = {&keyOf("n")};
    // The numbers behind the powers of two: their least legal value depends on these.
    std::stable_sort(group.keys.begin(), group.keys.end(), [](const MachineKey *a, const MachineKey *b) {
      return a->powerOfTwo && !b->powerOfTwo;
    });
    assign(0);
  }

private:
  void assign(size_t next) {
    if (next == group.keys.size())
      return addPoint();
    const MachineKey &key = *group.keys[next];
    assigned.push_back(&key);
    for (uint32_t value : valuesOf(key)) {
      machine.*key.member = value;
      if (isLegal(key))
        assign(next + 1);
    }
    assigned.pop_back();
  }

  std::set<uint32_t> valuesOf(const MachineKey &key) {
    if (&key == &keyOf("n"))
      return {machine.n};
    std::set<uint32_t> values = {key.minimum, key.maximum};
    if (key.powerOfTwo) {
      for (uint32_t value = key.minimum; value <= key.maximum; value *= 2)
        values.insert(value);
      return values;
    }
    values.insert(static_cast<uint32_t>(random.between(key.minimum, key.maximum)));
    addNeighbours(key, values);
    for (uint32_t value = key.minimum; value <= key.maximum; ++value) {
      machine.*key.member = value;
      if (isLegal(key)) {
        values.insert(value);
        break;
      }
    }
    return values;
  }

  /// The values beside the ends of a number that it is compared with, where a condition between both is
  /// tight.
  void addNeighbours(const MachineKey &key, std::set<uint32_t> &values) const {
    for (const MachineCondition &condition : machineConditions())
      for (const MachineKey *other : condition.keys)
        if (condition.keys.size() == 2 && contains(condition.keys, &key) && other != &key &&
            !other->powerOfTwo)
          for (const uint32_t end : {other->minimum, other->maximum})
            for (const uint32_t value : {end - 1, end + 1})
              if (value >= key.minimum && value <= key.maximum)
                values.insert(value);
  }

  /// The conditions that are about the key, and about no other that has no value yet.
  bool isLegal(const MachineKey &key) const {
    return std::all_of(machineConditions().begin(), machineConditions().end(),
                       [&](const MachineCondition &condition) {
                         return &condition == ignored || !contains(condition.keys, &key) ||
                                !isAssigned(condition.keys) || holds(condition, machine);
                       });
  }

  bool isAssigned(const std::vector<const MachineKey *> &keys) const {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const MachineKey *key) { return contains(assigned, key); });
  }

  void addPoint() {
    std::vector<uint32_t> values;
    for (const MachineKey *key : group.keys)
      values.push_back(machine.*key->member);
    std::vector<size_t> ends;
    for (const MachineEnd &end : machineEnds()) {
      const bool ofGroup = std::any_of(end.keys.begin(), end.keys.end(),
                                       [&](const MachineKey *key) { return contains(group.keys, key); });
      if (ofGroup && isAssigned(end.keys) && isAt(end, machine))
        ends.push_back(static_cast<size_t>(&end - machineEnds().data()));
    }
    const auto [at, isNew] = places.insert({ends, group.points.size()});
    if (isNew)
      group.points.push_back({ends, {}});
    group.points[at->second].values.push_back(std::move(values));
  }

  MachineGroup &group;
  Random random;
  const MachineCondition *ignored;
  MachineParameters machine;
  std::vector<const MachineKey *> assigned;
  std::map<std::vector<size_t>, size_t> places; ///< of the group's points, by their ends
};

/// Joins what a condition connects otherwise than by N.
std::vector<MachineGroup> connectedKeys() {
  std::vector<MachineGroup> groups;
  for (const MachineKey &key : isa::MachineKeys)
    groups.push_back({{&key}, {}});
  const auto groupOf = [&](const MachineKey *key) {
    return std::find_if(groups.begin(), groups.end(),
                        [&](const MachineGroup &group) { return contains(group.keys, key); });
  };
  for (const MachineCondition &condition : machineConditions()) {
    const MachineKey *first = nullptr;
    for (const MachineKey *key : condition.keys) {
      if (key == &keyOf("n"))
        continue;
      if (first && groupOf(first) != groupOf(key)) {
        const auto from = groupOf(key);
        groupOf(first)->keys.insert(groupOf(first)->keys.end(), from->keys.begin(), from->keys.end());
        groups.erase(from);
      }
      first = key;
    }
  }
  return groups;
}

} // namespace

const std::vector<MachineCondition> &machineConditions() {
  static const std::vector<MachineCondition> conditions = makeConditions();
  return conditions;
}

const std::vector<MachineEnd> &machineEnds() {
  static const std::vector<MachineEnd> ends = makeEnds();
  return ends;
}

bool holds(const MachineCondition &condition, const MachineParameters &machine) {
  return condition.holds ? condition.holds(machine)
                         : machine.*condition.keys[0]->member <= machine.*condition.keys[1]->member;
}

bool isAt(const MachineEnd &end, const MachineParameters &machine) {
  return end.key ? machine.*end.key->member == end.value
                 : isTight(machineConditions()[end.condition], machine);
}

std::vector<MachineGroup> machineGroups(uint32_t n, uint64_t seed, const MachineCondition *ignored) {
  std::vector<MachineGroup> groups = connectedKeys();
  for (MachineGroup &group : groups)
    Enumeration(group, n, seed++, ignored);
  return groups;
}

} // namespace daedalus::cosim
