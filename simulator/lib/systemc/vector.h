// VECTOR (R27): the row cycles of its iterations, then the pipeline drains.
#pragma once

#include "systemc/compute.h"

namespace daedalus::sim::systemc {

class Vector : public Compute {
public:
  Vector(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens)
      : Compute(name, run, core, tokens, isa::Module::Vector) {}

private:
  Work workOf(const isa::Instruction &instruction) const override;
  std::optional<Fault> execute(const isa::Instruction &instruction) override;
};

} // namespace daedalus::sim::systemc
