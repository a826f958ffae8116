// The area of a machine, estimated from its keys: gates of its logic and bits of its scratchpads.
#pragma once

#include "Report/Area/AreaTable.h"
#include "Report/Json.h"

namespace daedalus::report {

struct ModuleArea {
  std::string name;
  double gates = 0; ///< NAND2 equivalents
  double error = 0; ///< of the fit, in percent
};

struct MachineArea {
  std::vector<ModuleArea> modules;
  double gates = 0;                    ///< of all modules
  uint64_t ramBits = 0;                ///< of INP, WGT, ACC, PARAM, LUT and OUT, all copies
  double logic = 0, ram = 0;           ///< mm2
  std::vector<std::string> outOfRange; ///< "n is 64, fitted to 8 to 32"
};

MachineArea areaOf(const isa::Machine &machine, const AreaTable &table);

/// A table of modules, and below it what the numbers are and for which keys they are extrapolated.
std::string areaText(const isa::Machine &machine, const AreaTable &table);
Json areaJson(const isa::Machine &machine, const AreaTable &table);

} // namespace daedalus::report
