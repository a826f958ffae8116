// One model of a benchmark: compiled, run, compared with the CPU, and where its cycles went.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/overhead.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::cli {

struct ModelRun {
  std::string name;
  uint64_t macs = 0;
  uint64_t macCycles = 0;     ///< that the products need at least
  uint64_t dramCycles = 0;    ///< that reading, or writing, each tensor once needs at least
  uint64_t boundCycles = 0;   ///< that any schedule needs (docs/bounds.md)
  uint64_t cycles = 0;        ///< measured
  uint64_t planned = 0;       ///< expected by the planner
  uint64_t dramBytes = 0;     ///< moved by LOAD and STORE
  uint64_t leastBytes = 0;    ///< when each tensor is read and written once
  uint64_t cpuLayers = 0;     ///< without conversions at the boundary of the graph
  bool verified = false;      ///< the outputs' bytes are those of the CPU target
  runtime::Overhead overhead; ///< over macCycles
  double compileSeconds = 0, runSeconds = 0;
};

/// How the cycles of products are counted: by N x N tiles of whole channels, or exactly.
enum class MacCount { Tiles, Exact };

/// Random inputs, the same for the same model; `threads` share the work of kernels on the CPU. Failed where
/// the model does not compile or run.
ModelRun benchModel(const std::string &path, const isa::Machine &machine, const std::string &engine,
                    unsigned threads, MacCount count);

} // namespace daedalus::cli
