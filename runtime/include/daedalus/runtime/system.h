// A package on a whole simulated system (daedalus/simulator/soc.h): firmware on a RISC-V processor runs its
// function, beside the accelerator and with the same DRAM. What is counted is what the system would take, the
// processor's cycles included.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/runtime/tensor.h"
#include "daedalus/simulator/soc.h"
#include "daedalus/support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

struct SystemOptions {
  std::string engine = "soc";          ///< One of sim::socEngineNames().
  std::optional<isa::Machine> machine; ///< As of SessionOptions.
  bool skipsSleep = true;              ///< As of sim::SocOptions.
  uint32_t watchdogCycles = 1u << 28;  ///< Within which an accelerator program has to stop.
  uint32_t inferences = 1;             ///< At least 1. The inputs are there again before each.
  std::function<void(char)> print;     ///< Who gets what the UART prints; may be empty.
};

/// What firmware does between two marks, in cycles.
struct SystemStep {
  std::string name;           ///< "boot", "check the job", ..., or the layers of a program
  uint64_t cycles = 0;        ///< seen from outside
  uint64_t counted = 0;       ///< by the processor's counter; 0 of the first and the last
  bool isAccelerator = false; ///< it runs a program: then, and they add up to `cycles`
  uint64_t before = 0;        ///< of the processor, up to the program's cycle 0
  uint64_t accelerator = 0;   ///< of the program, from START to its stop
  uint64_t latency = 0;       ///< from its stop until the processor has left waitirq
  uint64_t behind = 0;        ///< of the processor, up to the next step
};

struct SystemResult {
  std::vector<Tensor> outputs; ///< Of the last inference, where the firmware ended with code 0.
  sim::SocRun run;
  isa::Machine machine;          ///< on which it ran
  std::vector<SystemStep> steps; ///< Their cycles add up to run.cycles.
  uint64_t acceleratorCycles = 0;
  uint64_t firstResult = 0; ///< Cycles from the reset until the first outputs are there; 0: they never are.
  uint64_t warmCycles = 0;  ///< From one inference's outputs to those of the next, the last of several.
  uint64_t warmAccelerator = 0; ///< What the accelerator took of them.
  uint64_t certifiedCycles = 0; ///< As of RunResult.
};

/// Runs a function of the package, by its number. Errors: what the package holds that this system cannot run;
/// no Verilated processor or firmware; inputs, as of Session::run(). That the firmware ended with another
/// code than 0 is no error of this function.
Result<SystemResult> runOnSystem(const package::Package &package, size_t function,
                                 const std::vector<Tensor> &inputs, const SystemOptions &options);

} // namespace daedalus::runtime
#pragma GCC visibility pop
