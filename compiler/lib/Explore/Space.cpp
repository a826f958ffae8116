// See Space.h.
#include "Explore/Space.h"

#include "Explore/Expression.h"
#include "daedalus/isa/dram.h"

#include <algorithm>
#include <cmath>

namespace daedalus::explore {
namespace {

/// The numbers of the machine that names stand for in expressions.
Variables variablesOf(const isa::Machine &machine) {
  Variables variables;
  for (const auto &[name, number] : isa::numbersOf(machine))
    variables[name] = number;
  return variables;
}

std::string shown(double value) {
  return value == std::floor(value) ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

} // namespace

uint64_t Space::size() const {
  uint64_t points = 1;
  for (const uint64_t count : counts())
    points *= count;
  return points;
}

std::vector<uint64_t> Space::counts() const {
  std::vector<uint64_t> counts = {bases.size()};
  for (const Key &key : keys)
    counts.push_back(key.values.size());
  return counts;
}

Point Space::point(uint64_t index) const {
  Point point;
  point.index = index;
  std::vector<std::pair<std::string, std::string>> chosen;
  uint64_t rest = index;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    chosen.emplace_back(key->name, key->values[rest % key->values.size()]);
    rest /= key->values.size();
  }
  std::reverse(chosen.begin(), chosen.end());
  const auto isModel = [](const auto &key) {
    return key.first == isa::modelKey;
  }; // keys of a DRAM need it before them
  std::stable_partition(chosen.begin(), chosen.end(), isModel);
  point.name = bases[rest];
  const Result<isa::Machine> base = isa::loadMachine(bases[rest]);
  Variables variables = base ? variablesOf(*base) : Variables();
  for (const auto &[key, value] : chosen) {
    point.name += "," + key + "=" + value;
    if (!isModel(std::pair(key, value)))
      variables[key] = std::strtod(value.c_str(), nullptr);
  }
  for (const auto &[key, expression] : derived) {
    const Result<double> value = evaluate(expression, variables);
    if (!value || *value != std::floor(*value)) {
      point.skipped = key + " = " + expression + (value ? " is " + shown(*value) : ": " + value.error());
      return point;
    }
    variables[key] = *value;
    point.name += "," + key + "=" + shown(*value);
  }
  for (const std::string &condition : conditions) {
    const Result<double> holds = evaluate(condition, variables);
    if (!holds || *holds == 0) {
      point.skipped = "not " + condition + (holds ? "" : ": " + holds.error());
      return point;
    }
  }
  Result<isa::Machine> machine = isa::loadMachine(point.name);
  if (machine)
    point.machine = std::move(*machine);
  else
    point.skipped = machine.error().substr(point.name.size() + 2); // "NAME: "
  return point;
}

bool Space::hasValueOf(const std::string &key) const {
  const auto isChanged = [&](const Key &one) { return one.name == key; };
  const auto isDerived = [&](const auto &one) { return one.first == key; };
  if (std::any_of(keys.begin(), keys.end(), isChanged) ||
      std::any_of(derived.begin(), derived.end(), isDerived))
    return true;
  return std::all_of(bases.begin(), bases.end(), [&](const std::string &base) {
    const Result<isa::Machine> machine = isa::loadMachine(base);
    return machine && variablesOf(*machine).count(key);
  });
}

std::string Space::text() const {
  std::string text;
  for (const std::string &base : bases)
    text += "base " + base + "\n";
  for (const Key &key : keys) {
    text += "key " + key.name + ":";
    for (const std::string &value : key.values)
      text += " " + value;
    text += "\n";
  }
  for (const auto &[key, expression] : derived)
    text += "derive " + key + " = " + expression + "\n";
  for (const std::string &condition : conditions)
    text += "where " + condition + "\n";
  return text;
}

} // namespace daedalus::explore
