// What each layer of a package costs: bytes that it moves, cycles on the accelerator, time on the host's CPU.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::tuning {

struct LayerCost {
  /// On the accelerator what its LOAD and STORE instructions move between DRAM and scratchpads; elsewhere the
  /// sizes of the operands.
  uint64_t bytes = 0;
  uint64_t cycles = 0;      ///< on the accelerator, as RunResult attributes them
  double microseconds = 0;  ///< on this host's CPU
  uint64_t deviceTicks = 0; ///< and what they are: as of LayerCycles
  double ticksPerMicrosecond = 0;
  double copyMicroseconds = 0; ///< between the host's memory and the device's
};

struct Costs {
  std::vector<LayerCost> layers; ///< as in the package
  std::string unmeasured;        ///< why there are no cycles and times; empty: there are

  /// Of the layers; nothing where they were not measured.
  std::optional<std::vector<double>> hostTimes() const;
};

/// Runs the package on the cycle-level engine, without results, on inputs of zeros; of each layer on the CPU
/// the median of up to five runs counts. `threads` share the work of kernels on the CPU.
Costs costsOf(const package::Package &package, const isa::Machine &machine, unsigned threads);

/// Its steps on the host alone: between them lie zeros, or what an earlier run left, where the accelerator
/// would have written.
package::Package hostPart(package::Package package);

/// The microseconds of each layer on the host's CPU, measured in a run of these alone; nothing where they
/// cannot run on such inputs as zeros, or call external functions.
std::optional<std::vector<double>> hostMicroseconds(const package::Package &package, unsigned threads);

/// Of an instruction, by its index in the program: an index into Package::layers, or noLayer.
uint32_t layerOf(const package::AcceleratorProgram &program, size_t instruction);

/// That LOAD reads from DRAM and STORE writes there.
struct DramBytes {
  uint64_t read = 0, written = 0;

  uint64_t total() const { return read + written; }
};

/// By layer; one more entry for instructions of none.
std::vector<DramBytes> dramBytesOf(const package::Package &package, const isa::Machine &machine);

} // namespace daedalus::tuning
