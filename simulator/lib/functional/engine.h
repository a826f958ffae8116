// The functional engine: one instruction after the other in program order, until finish or the first
// fault. It counts no cycles.
#pragma once

#include "common/modelled_device.h"
#include "functional/tokens.h"

#include <optional>

namespace daedalus::sim::functional {

class Engine : public ModelledDevice {
public:
  using ModelledDevice::ModelledDevice;

private:
  bool execute(uint64_t cycles, bool begins) override;
  void runProgram();
  void retire(uint32_t index, isa::CounterModule module);
  /// Executes it between its tokens.
  std::optional<Fault> step(const isa::Instruction &instruction, Tokens &tokens);
};

} // namespace daedalus::sim::functional
