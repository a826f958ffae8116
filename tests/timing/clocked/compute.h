// GEMM and VECTOR as far as time goes: they start (R9), walk their iterations, and end after the drain (R10).
// Rows out of a scratchpad are found on the way (docs/decisions/0003).
#pragma once

#include "clocked/tokens.h"

namespace daedalus::clocked {

class Compute {
public:
  Compute(Shared &shared, Tokens &tokens, Queue &queue, isa::Module module)
      : shared(shared), tokens(tokens), queue(queue), module(module) {}

  void evaluate();
  void commit();
  bool isWorking() const { return working.has_value(); }

private:
  struct Working {
    Item item;
    Cycle start;
    std::array<uint32_t, 6> index{}; ///< of the loops; VECTOR has five
    bool iterating = true;           ///< there are iterations left to begin
    uint32_t inIteration = 0;        ///< cycles of the current iteration that have passed
    uint32_t drain = 0;              ///< cycles of the drain that are left
    uint32_t outside = 0;            ///< bit i: a row outside its scratchpad is reported in i cycles (R28)
  };

  bool start();
  void work();
  void endInstruction();
  CounterClass classify(bool starts) const;

  Shared &shared;
  Tokens &tokens;
  Queue &queue;
  const isa::Module module;
  std::optional<Working> working, started;
  bool ended = false;
};

/// Cycles of one iteration: 1 of GEMM; of VECTOR the most reads of one scope, 4 of mov32.
uint32_t iterationCycles(const isa::Instruction &instruction);

/// Steps the loops of a GEMM or VECTOR, the last fastest; with a window GEMM's last index counts columns.
/// False after the last iteration.
bool stepIteration(const isa::Instruction &instruction, std::array<uint32_t, 6> &index);

/// Whether the iteration touches rows outside their scratchpads.
bool leavesScratchpad(const isa::Instruction &instruction, const std::array<uint32_t, 6> &index,
                      const isa::Machine &machine);

} // namespace daedalus::clocked
