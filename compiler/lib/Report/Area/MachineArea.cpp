// See MachineArea.h.
#include "Report/Area/MachineArea.h"
#include "Report/Table.h"

#include "daedalus/isa/dram.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace daedalus::report {
namespace {

std::string decimal(double value, const char *format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// A line of the table: gates and their area.
std::vector<std::string> gatesRow(const std::string &name, double gates, const AreaTable &table,
                                  double error) {
  return {name, decimal(gates / 1000, "%.1f"), "", decimal(gates * table.gate / 1e6, "%.4f"),
          decimal(error, "%.1f%%")};
}

/// At least 0.
double sumOf(const std::vector<AreaTerm> &terms, const std::map<std::string, uint32_t> &keys) {
  double sum = 0;
  for (const AreaTerm &term : terms) {
    double product = term.each;
    for (const std::string &key : term.keys)
      product *= keys.at(key);
    sum += product;
  }
  return std::max(0.0, sum);
}

} // namespace

MachineArea areaOf(const isa::Machine &machine, const AreaTable &table) {
  std::map<std::string, uint32_t> keys;
  for (const auto &[key, value] : isa::numbersOf(machine))
    keys[key] = value;
  MachineArea area;
  for (const ModuleAreaTable &module : table.modules) {
    area.modules.push_back({module.name, sumOf(module.terms, keys), module.error});
    area.gates += area.modules.back().gates;
  }
  for (const auto &[key, range] : table.ranges)
    if (keys[key] < range.first || keys[key] > range.second)
      area.outOfRange.push_back(key + " is " + std::to_string(keys[key]) + ", fitted to " +
                                std::to_string(range.first) + " to " + std::to_string(range.second));
  area.ramBits = static_cast<uint64_t>(std::llround(sumOf(table.rams, keys)));
  area.logic = area.gates * table.gate / 1e6;
  area.ram = static_cast<double>(area.ramBits) * table.ramBit / 1e6;
  return area;
}

std::string areaText(const isa::Machine &machine, const AreaTable &table) {
  const MachineArea area = areaOf(machine, table);
  Table rows({"module", ">1000 gates", ">RAM bits", ">mm2 (estimated)", ">error of the fit"});
  for (const ModuleArea &module : area.modules)
    rows.row(gatesRow(module.name, module.gates, table, module.error));
  rows.row(gatesRow("all gates", area.gates, table, table.error));
  rows.row({"scratchpads' RAM", "", grouped(area.ramBits), decimal(area.ram, "%.4f"), ""});
  rows.row({"total", "", "", decimal(area.logic + area.ram, "%.4f"), ""});
  std::string text = "area of " + machine.name + ", estimated:\n\n" + rows.text() +
                     "\nArea is estimated by " + table.source + ", without wires, clock tree and I/O.\n";
  for (const std::string &key : area.outOfRange)
    text += "Extrapolated: " + key + ".\n";
  return text;
}

Json areaJson(const isa::Machine &machine, const AreaTable &table) {
  const MachineArea area = areaOf(machine, table);
  Json modules = Json::array();
  for (const ModuleArea &module : area.modules)
    modules.push_back({{"name", module.name},
                       {"estimated_gates", std::llround(module.gates)},
                       {"error_percent", module.error}});
  return {{"machine", machine.name},
          {"source", table.source},
          {"modules", modules},
          {"estimated_gates", std::llround(area.gates)},
          {"error_percent", table.error},
          {"ram_bits", area.ramBits},
          {"estimated_logic_mm2", area.logic},
          {"estimated_ram_mm2", area.ram},
          {"extrapolated", area.outOfRange}};
}

} // namespace daedalus::report
