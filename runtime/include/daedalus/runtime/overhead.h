// Where the cycles of a run went that its products do not need, by what GEMM did in them.

#ifndef DAEDALUS_RUNTIME_OVERHEAD_H
#define DAEDALUS_RUNTIME_OVERHEAD_H

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/session.h"

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// Cycles of a run. Their sum is the run's cycles less those of the products, where it has as many.
struct Overhead {
  uint64_t prologue = 0; ///< before GEMM's first instruction
  uint64_t bus = 0;      ///< waiting for LOAD
  uint64_t tokens = 0;   ///< waiting for VECTOR and STORE, or for an instruction
  uint64_t fill = 0;     ///< its pipeline drains at the end of each instruction
  uint64_t padding = 0;  ///< products of lanes without a channel, and depthwise ones, which use one lane in N
  uint64_t epilogue = 0; ///< behind its last instruction

  uint64_t total() const { return prologue + bus + tokens + fill + padding + epilogue; }
};

/// `products`: the N x N tile products that the model needs, each a cycle. All 0 where GEMM ran no
/// instruction.
Overhead overheadOf(const RunResult &result, uint64_t products, const isa::Machine &machine);

} // namespace daedalus::runtime
#pragma GCC visibility pop

#endif
