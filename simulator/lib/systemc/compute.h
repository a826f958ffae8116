// GEMM and VECTOR: one instruction at a time, whose duration follows from its fields and the machine (R10,
// R26, R27). An instruction's results appear at its start: what it reads has been complete since its tokens
// came, and what it writes is looked at only after its end.
#pragma once

#include "systemc/unit.h"

namespace daedalus::sim::systemc {

class Compute : public Unit {
public:
  Compute(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, isa::Module module);

  void reset() override;

protected:
  /// What the module's own instruction does, in cycles.
  struct Work {
    uint64_t duration = 1;
    /// Cycles of the iterations, or columns, before the first with a row outside its scratchpad; Never
    /// without one.
    uint64_t beforeBadRow = Never;
  };
  virtual Work workOf(const isa::Instruction &instruction) const = 0;
  virtual std::optional<Fault> execute(const isa::Instruction &instruction) = 0;

private:
  void step();
  void begin(Cycle now);

  Issued current;
  bool working = false;
  Cycle started = 0, end = 0;
  Event ends;
};

} // namespace daedalus::sim::systemc
