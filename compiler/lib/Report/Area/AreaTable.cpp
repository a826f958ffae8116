// See AreaTable.h.
#include "Report/Area/AreaTable.h"
#include "Report/YamlFile.h"

#include "daedalus/isa/dram.h"
#include "daedalus/support/decimal.h"
#include "daedalus/support/input_file.h"

#include <cmath>
#include <set>
#include <sstream>

namespace daedalus::report {
namespace {

constexpr const char *builtin =
#include "area_45nm.yaml.inc"
    ;

std::string textOf(const YAML::Node &node) {
  return node.IsScalar() ? node.Scalar() : "";
}

Result<double> numberOf(const YAML::Node &node, const std::string &key, bool negative = false) {
  double value = 0;
  if (!YAML::convert<double>::decode(YAML::Node(textOf(node)), value) || !std::isfinite(value) ||
      (value < 0 && !negative))
    return error("the key '" + key + "' is '" + textOf(node) + "'; expected a number" +
                 (negative ? "" : ", 0 or more"));
  return value;
}

bool isKey(const std::string &name) {
  for (const auto &[key, value] : isa::numbersOf(isa::Machine()))
    if (key == name)
      return true;
  return false;
}

/// The keys of "n*acc_banks"; none of "constant".
Result<std::vector<std::string>> keysOf(const std::string &text, const std::string &where) {
  std::vector<std::string> keys;
  std::stringstream factors(text);
  for (std::string key; text != "constant" && std::getline(factors, key, '*');) {
    if (!isKey(key))
      return error("the key '" + where + "' names '" + key +
                   "', which no machine has; expected 'constant' or keys of a machine with '*' between them");
    keys.push_back(key);
  }
  return keys;
}

/// One entry of a map of terms, `where` the map is.
Result<AreaTerm> termOf(const std::string &term, const YAML::Node &value, const std::string &where) {
  const std::string key = where + "." + term;
  const Result<double> each = numberOf(value, key, /*negative=*/true);
  if (!each)
    return error(each.error());
  const Result<std::vector<std::string>> keys = keysOf(term, key);
  if (!keys)
    return error(keys.error());
  return AreaTerm{*keys, *each};
}

Result<ModuleAreaTable> moduleOf(const std::string &name, const YAML::Node &node) {
  const std::string where = "modules." + name;
  ModuleAreaTable module{name, 0, {}};
  if (!node.IsMap() || !node["error_percent"])
    return error("the key '" + where + "' is not a map with an 'error_percent' and the gates of terms");
  for (const auto &entry : node) {
    if (const std::string name = textOf(entry.first); name != "error_percent") {
      Result<AreaTerm> term = termOf(name, entry.second, where);
      if (!term)
        return error(term.error());
      module.terms.push_back(*term);
    } else if (const Result<double> value = numberOf(entry.second, where + "." + name)) {
      module.error = *value;
    } else {
      return error(value.error());
    }
  }
  return module;
}

Result<void> readRams(const YAML::Node &node, AreaTable &table) {
  if (!node.IsMap() || node.size() == 0)
    return error("the key 'rams' is not a map from products of a machine's keys to bits");
  for (const auto &entry : node) {
    Result<AreaTerm> term = termOf(textOf(entry.first), entry.second, "rams");
    if (!term)
      return error(term.error());
    table.rams.push_back(*term);
  }
  return {};
}

Result<void> readModules(const YAML::Node &node, AreaTable &table) {
  if (!node.IsMap() || node.size() == 0)
    return error("the key 'modules' is not a map from modules to the gates of their terms");
  for (const auto &entry : node) {
    Result<ModuleAreaTable> module = moduleOf(textOf(entry.first), entry.second);
    if (!module)
      return error(module.error());
    table.modules.push_back(*module);
  }
  return {};
}

Result<void> readRanges(const YAML::Node &node, AreaTable &table) {
  if (!node.IsMap())
    return error("the key 'ranges' is not a map from keys of a machine to their smallest and largest values");
  for (const auto &entry : node) {
    const std::string key = textOf(entry.first);
    if (!isKey(key))
      return error("the key 'ranges." + key + "' is no key of a machine");
    const bool two = entry.second.IsSequence() && entry.second.size() == 2;
    const auto least = two ? parseDecimal(textOf(entry.second[0])) : std::nullopt;
    const auto most = two ? parseDecimal(textOf(entry.second[1])) : std::nullopt;
    if (!least || !most || *least > *most || *most > UINT32_MAX)
      return error("the key 'ranges." + key + "' is not a list of a smallest and a largest value");
    table.ranges[key] = {static_cast<uint32_t>(*least), static_cast<uint32_t>(*most)};
  }
  return {};
}

Result<void> readEntry(const std::string &key, const YAML::Node &node, AreaTable &table) {
  const std::map<std::string, double AreaTable::*> numbers = {{"gate_um2", &AreaTable::gate},
                                                              {"ram_bit_um2", &AreaTable::ramBit},
                                                              {"error_percent", &AreaTable::error}};
  if (key == "modules")
    return readModules(node, table);
  if (key == "rams")
    return readRams(node, table);
  if (key == "ranges")
    return readRanges(node, table);
  if (key == "source") {
    table.source = textOf(node);
    return table.source.empty() ? error("the key 'source' is empty; expected where the numbers are from")
                                : Result<void>();
  }
  const Result<double> value = numberOf(node, key);
  if (!value)
    return error(value.error());
  table.*numbers.at(key) = *value;
  return {};
}

Result<AreaTable> tableOf(const YAML::Node &root) {
  AreaTable table;
  if (!root.IsMap())
    return error("is no map of keys and values");
  std::set<std::string> missing = {"source", "gate_um2", "ram_bit_um2", "error_percent",
                                   "ranges", "rams",     "modules"};
  for (const auto &entry : root) {
    const std::string key = textOf(entry.first);
    if (!missing.erase(key))
      return error("the key '" + key + "' is unknown or occurs twice");
    if (Result<void> read = readEntry(key, entry.second, table); !read)
      return error(read.error());
  }
  if (!missing.empty())
    return error("the key '" + *missing.begin() + "' is missing");
  return table;
}

} // namespace

const AreaTable &defaultAreaTable() {
  static const AreaTable table = *parseAreaTable(builtin, "45nm.yaml");
  return table;
}

Result<AreaTable> parseAreaTable(const std::string &yaml, const std::string &name) {
  return parseYaml(yaml, name, tableOf);
}

Result<AreaTable> readAreaTable(const std::string &path) {
  const Result<std::vector<uint8_t>> text = readFile(path, input::MachineFile);
  if (!text)
    return error(text.error());
  return parseAreaTable({text->begin(), text->end()}, path);
}

} // namespace daedalus::report
