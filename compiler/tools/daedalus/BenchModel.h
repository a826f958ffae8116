// One model of a benchmark: compiled, run, compared with the CPU, and where its cycles went.
#pragma once

#include "daedalus/isa/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::cli {

/// Cycles that are not products of the bound, by what GEMM did in them.
struct Rest {
  uint64_t prologue = 0; ///< before its first instruction
  uint64_t bus = 0;      ///< waiting for LOAD
  uint64_t tokens = 0;   ///< waiting for VECTOR and STORE, or for an instruction
  uint64_t fill = 0;     ///< its pipeline drains at the end of each instruction
  uint64_t padding = 0;  ///< products of lanes without a channel, and depthwise ones, which use one lane in N
  uint64_t epilogue = 0; ///< behind its last instruction
};

struct ModelRun {
  std::string name;
  uint64_t macs = 0;
  uint64_t macCycles = 0;  ///< that the products need at least
  uint64_t dramCycles = 0; ///< that reading, or writing, each tensor once needs at least
  uint64_t cycles = 0;     ///< measured
  uint64_t planned = 0;    ///< expected by the planner
  uint64_t dramBytes = 0;  ///< moved by LOAD and STORE
  uint64_t leastBytes = 0; ///< when each tensor is read and written once
  uint64_t cpuLayers = 0;  ///< without conversions at the boundary of the graph
  bool verified = false;   ///< the outputs' bytes are those of the CPU target
  Rest rest;
  double compileSeconds = 0, runSeconds = 0;

  uint64_t boundCycles() const { return macCycles > dramCycles ? macCycles : dramCycles; }
};

/// How the cycles of products are counted: by N x N tiles of whole channels, or exactly.
enum class MacCount { Tiles, Exact };

/// Random inputs, the same for the same model. Failed where the model does not compile or run.
ModelRun benchModel(const std::string &path, const isa::Machine &machine, const std::string &engine,
                    MacCount count);

} // namespace daedalus::cli
