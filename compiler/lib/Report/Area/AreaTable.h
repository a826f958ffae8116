// What a machine takes on a chip: a table with its sources, which users may replace.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"

#include <map>
#include <string>
#include <vector>

namespace daedalus::report {

/// Gates or bits for each unit of a product of the machine's keys.
struct AreaTerm {
  std::vector<std::string> keys; ///< none: the term is constant
  double each = 0;
};

struct ModuleAreaTable {
  std::string name;
  double error = 0; ///< the largest of the fit's leave-one-out errors, in percent
  std::vector<AreaTerm> terms;
};

struct AreaTable {
  std::string source;
  double gate = 0, ramBit = 0; ///< um2 of a NAND2, and of a bit of RAM with its share of the decoders
  double error = 0;            ///< of the gates of all modules, as ModuleAreaTable::error
  std::map<std::string, std::pair<uint32_t, uint32_t>>
      ranges; ///< of keys: the smallest and largest fitted to
  std::vector<AreaTerm>
      rams; ///< bits of the scratchpads' RAMs, with the copies that readers have of their own
  std::vector<ModuleAreaTable> modules;
};

/// The built-in one.
const AreaTable &defaultAreaTable();

/// Of a YAML file with the keys of compiler/lib/Report/Area/45nm.yaml. An error names the file, the key, the
/// value and what is expected.
Result<AreaTable> readAreaTable(const std::string &path);
Result<AreaTable> parseAreaTable(const std::string &yaml, const std::string &name);

} // namespace daedalus::report
