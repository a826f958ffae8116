// GEMM (R26): one tile product, or one column of a window, a cycle; then the pipeline drains.
#pragma once

#include "systemc/compute.h"

namespace daedalus::sim::systemc {

class Gemm : public Compute {
public:
  Gemm(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens)
      : Compute(name, run, core, tokens, isa::Module::Gemm) {}

private:
  Work workOf(const isa::Instruction &instruction) const override;
  std::optional<Fault> execute(const isa::Instruction &instruction) override;
};

} // namespace daedalus::sim::systemc
