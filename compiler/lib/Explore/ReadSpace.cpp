// Space files: YAML.
#include "Explore/Expression.h"
#include "Explore/Space.h"
#include "Report/YamlFile.h"
#include "daedalus/isa/dram.h"
#include "daedalus/support/decimal.h"

#include <algorithm>
#include <set>

namespace daedalus::explore {
namespace {

std::string textOf(const YAML::Node &node) {
  return node.IsScalar() ? node.Scalar() : "";
}

/// Of a list, or of one value in its place.
std::vector<std::string> textsOf(const YAML::Node &node) {
  std::vector<std::string> texts;
  if (node.IsScalar())
    texts.push_back(node.Scalar());
  for (const YAML::Node &text : node)
    texts.push_back(textOf(text));
  return texts;
}

Result<uint64_t> number(const YAML::Node &range, const char *name) {
  const auto value =
      range[name] && range[name].IsScalar() ? parseDecimal(range[name].Scalar()) : std::nullopt;
  if (!value)
    return error(std::string("needs a whole number '") + name + "'");
  return *value;
}

/// {from: 8, to: 64, step: 8}, or with `times` in place of `step`.
Result<std::vector<std::string>> valuesOfRange(const YAML::Node &range) {
  for (const auto &entry : range)
    if (const std::string name = entry.first.Scalar();
        name != "from" && name != "to" && name != "step" && name != "times")
      return error("has '" + name + "'; a range has from, to, and step or times");
  const auto from = number(range, "from"), to = number(range, "to");
  if (!from || !to)
    return error(from ? to.error() : from.error());
  const bool multiplies = static_cast<bool>(range["times"]);
  if (multiplies == static_cast<bool>(range["step"]))
    return error("needs either 'step' or 'times'");
  const auto by = number(range, multiplies ? "times" : "step");
  if (!by)
    return error(by.error());
  if (*by < (multiplies ? 2 : 1) || (multiplies && *from == 0) || *from > *to || *to > UINT32_MAX)
    return error("is from " + std::to_string(*from) + " to " + std::to_string(*to) + " by " +
                 std::to_string(*by) + ", which is not a range");
  std::vector<std::string> values;
  for (uint64_t value = *from; value <= *to && values.size() <= mostPoints;
       value = multiplies ? value * *by : value + *by)
    values.push_back(std::to_string(value));
  return values;
}

Result<std::vector<std::string>> valuesOf(const YAML::Node &node) {
  if (node.IsMap())
    return valuesOfRange(node);
  std::vector<std::string> values = textsOf(node);
  std::set<std::string> once(values.begin(), values.end());
  if (values.empty() || once.count(""))
    return error(
        "has no values; expected a list, such as [8, 16], or a range, such as {from: 8, to: 64, times: 2}");
  if (once.size() != values.size())
    return error("has a value twice");
  return values;
}

class Reader {
public:
  Result<Space> read(const YAML::Node &root) {
    if (!root.IsMap())
      return error("is not a map; expected 'keys' and optionally 'bases', 'derive' and 'where'");
    for (const auto &entry : root) {
      const std::string name = entry.first.Scalar();
      if (Result<void> done = readEntry(name, entry.second); !done)
        return error(done.error());
    }
    if (space.bases.empty())
      space.bases.push_back("default");
    if (Result<void> good = check(); !good)
      return error(good.error());
    return space;
  }

private:
  Result<void> readEntry(const std::string &name, const YAML::Node &node) {
    if (name == "keys")
      return readKeys(node);
    if (name == "derive")
      return readDerived(node);
    if (name != "bases" && name != "where")
      return error("has '" + name + "', which is unknown; expected bases, keys, derive or where");
    (name == "bases" ? space.bases : space.conditions) = textsOf(node);
    return {};
  }

  Result<void> readKeys(const YAML::Node &node) {
    if (!node.IsMap())
      return error("'keys' is not a map of keys and values");
    for (const auto &entry : node) {
      const std::string name = entry.first.Scalar();
      if (Result<void> fresh = take(name); !fresh)
        return fresh;
      Result<std::vector<std::string>> values = valuesOf(entry.second);
      if (!values)
        return error("the key '" + name + "' " + values.error());
      space.keys.push_back({name, std::move(*values)});
    }
    return {};
  }

  Result<void> readDerived(const YAML::Node &node) {
    if (!node.IsMap())
      return error("'derive' is not a map of keys and expressions");
    for (const auto &entry : node) {
      const std::string name = entry.first.Scalar();
      if (Result<void> fresh = take(name); !fresh)
        return fresh;
      space.derived.emplace_back(name, textOf(entry.second));
    }
    return {};
  }

  /// Each key comes once, in `keys` or in `derive`.
  Result<void> take(const std::string &name) {
    if (!isa::isMachineKey(name))
      return error("the key '" + name + "' is unknown; docs/isa.md lists the keys");
    if (!taken.insert(name).second)
      return error("the key '" + name + "' is given twice");
    return {};
  }

  Result<void> check() const {
    double points = static_cast<double>(space.bases.size());
    for (const Space::Key &key : space.keys)
      points *= static_cast<double>(key.values.size());
    if (points > static_cast<double>(mostPoints))
      return error("has more than " + std::to_string(mostPoints) + " points; expected fewer values");
    for (const std::string &base : space.bases)
      if (const Result<isa::Machine> machine = isa::loadMachine(base); !machine)
        return error("base: " + machine.error());
    return checkExpressions();
  }

  /// That they can be read: of keys that a machine may lack, that is seen at each point.
  Result<void> checkExpressions() const {
    Variables all;
    for (const isa::MachineKey &key : isa::MachineKeys)
      all[key.name] = 1;
    for (const isa::MachineKey &key : isa::DramKeys)
      all[key.name] = 1;
    for (const auto &[key, expression] : space.derived)
      if (const Result<double> value = evaluate(expression, all); !value)
        return error("the key '" + key + "' is '" + expression + "': " + value.error());
    for (const std::string &condition : space.conditions)
      if (const Result<double> value = evaluate(condition, all); !value)
        return error("the condition '" + condition + "': " + value.error());
    return {};
  }

  Space space;
  std::set<std::string> taken;
};

} // namespace

Result<Space> readSpace(const std::string &yaml, const std::string &source) {
  return report::parseYaml(yaml, source, [](const YAML::Node &root) { return Reader().read(root); });
}

} // namespace daedalus::explore
