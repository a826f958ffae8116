// What operations cost in energy: a table with its source, which users may replace.
#pragma once

#include "daedalus/support/result.h"

#include <map>
#include <string>

namespace daedalus::report {

/// In picojoules. Nothing idles: neither clocks nor leakage are in it.
struct EnergyTable {
  std::string source;
  double multiplyAccumulate = 0; ///< of the array: int8 by int8, added to int32
  double add = 0, multiply = 0;  ///< of VECTOR in a lane
  std::map<double, double> sram; ///< a byte, by the KiB of a bank
  double dram = 0;               ///< a byte

  /// A byte of a bank of so many bytes: between two entries by a power of the size, outside the nearest one.
  double sramByte(double bankBytes) const;
};

/// The built-in one.
const EnergyTable &defaultEnergyTable();

/// Of a YAML file with the keys of compiler/lib/Report/Energy/45nm.yaml. An error names the file, the key,
/// the value and what is expected.
Result<EnergyTable> readEnergyTable(const std::string &path);
Result<EnergyTable> parseEnergyTable(const std::string &yaml, const std::string &name);

} // namespace daedalus::report
