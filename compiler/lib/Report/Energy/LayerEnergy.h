// The energy of a package's accelerator programs, estimated from what each instruction does.
#pragma once

#include "Report/Energy/EnergyTable.h"

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"

#include <array>
#include <vector>

namespace daedalus::report {

/// Picojoules of one run of an instruction by what takes them.
struct Energy {
  double array = 0;       ///< GEMM's multiply-accumulates
  double vector = 0;      ///< VECTOR's lanes
  double scratchpads = 0; ///< their bytes read and written
  double dram = 0;        ///< bytes read and written, the instruction's own included

  double total() const { return array + vector + scratchpads + dram; }
  Energy &operator+=(const Energy &other);
};

Energy energyOf(const isa::Instruction &instruction, const isa::Machine &machine, const EnergyTable &table);

/// By layer, one more for instructions of none; each program once for each time that the package's first
/// function starts it.
std::vector<Energy> layerEnergies(const package::Package &package, const isa::Machine &machine,
                                  const EnergyTable &table);

} // namespace daedalus::report
