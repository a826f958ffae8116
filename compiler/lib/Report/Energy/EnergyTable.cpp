// See EnergyTable.h.
#include "Report/Energy/EnergyTable.h"
#include "Report/YamlFile.h"

#include "daedalus/support/input_file.h"

#include <cmath>
#include <set>

namespace daedalus::report {
namespace {

constexpr const char *builtin =
#include "energy_45nm.yaml.inc"
    ;

/// A joule: sums over any network stay finite.
constexpr double most = 1e12;

/// A number from 0 to the most.
Result<double> numberOf(const YAML::Node &node, const std::string &key) {
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  double value = 0;
  if (!YAML::convert<double>::decode(YAML::Node(text), value) || !(value >= 0 && value <= most))
    return error("the key '" + key + "' is '" + text + "'; expected a number of picojoules from 0 to 1e12");
  return value;
}

Result<void> readBanks(const YAML::Node &node, std::map<double, double> &sram) {
  if (!node.IsMap() || node.size() == 0)
    return error("the key 'sram_pj_per_byte' is not a map from KiB to picojoules");
  for (const auto &entry : node) {
    const std::string key = "sram_pj_per_byte." + entry.first.as<std::string>("");
    double size = 0;
    if (!YAML::convert<double>::decode(entry.first, size) || !(size > 0) || !std::isfinite(size))
      return error("the key '" + key + "' is not the size of a bank in KiB");
    const Result<double> value = numberOf(entry.second, key);
    if (!value)
      return error(value.error());
    sram[size] = *value;
  }
  return {};
}

Result<EnergyTable> tableOf(const YAML::Node &root) {
  EnergyTable table;
  const std::map<std::string, double EnergyTable::*> numbers = {
      {"multiply_accumulate_pj", &EnergyTable::multiplyAccumulate},
      {"add_pj", &EnergyTable::add},
      {"multiply_pj", &EnergyTable::multiply},
      {"dram_pj_per_byte", &EnergyTable::dram}};
  if (!root.IsMap())
    return error("is not a map of keys and values");
  std::set<std::string> missing = {"source", "sram_pj_per_byte"};
  for (const auto &[key, member] : numbers)
    missing.insert(key);
  for (const auto &entry : root) {
    const std::string key = entry.first.as<std::string>("");
    if (!missing.erase(key))
      return error("the key '" + key + "' is unknown or given twice");
    const auto number = numbers.find(key);
    if (key == "source")
      table.source = entry.second.as<std::string>("");
    else if (number == numbers.end()) {
      if (Result<void> banks = readBanks(entry.second, table.sram); !banks)
        return error(banks.error());
    } else if (const Result<double> value = numberOf(entry.second, key))
      table.*(number->second) = *value;
    else
      return error(value.error());
  }
  if (!missing.empty())
    return error("the key '" + *missing.begin() + "' is missing");
  if (table.source.empty())
    return error("the key 'source' is empty; expected the source of the numbers");
  return table;
}

} // namespace

double EnergyTable::sramByte(double bankBytes) const {
  const double size = bankBytes / 1024;
  const auto above = sram.lower_bound(size);
  if (above == sram.begin())
    return sram.begin()->second;
  const auto below = std::prev(above);
  if (above == sram.end() || below->second <= 0 || above->second <= 0)
    return below->second;
  const double part = std::log(size / below->first) / std::log(above->first / below->first);
  return below->second * std::pow(above->second / below->second, part);
}

const EnergyTable &defaultEnergyTable() {
  static const EnergyTable table = *parseEnergyTable(builtin, "45nm.yaml");
  return table;
}

Result<EnergyTable> parseEnergyTable(const std::string &yaml, const std::string &name) {
  return parseYaml(yaml, name, tableOf);
}

Result<EnergyTable> readEnergyTable(const std::string &path) {
  const Result<std::vector<uint8_t>> text = readFile(path, input::MachineFile);
  if (!text)
    return error(text.error());
  return parseEnergyTable({text->begin(), text->end()}, path);
}

} // namespace daedalus::report
