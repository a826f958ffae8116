// What the fault registers mean, as a sentence: the engines that count cycles have it from here.
#pragma once

#include "common/core_state.h"
#include "common/fault.h"

namespace daedalus::sim::functional {

/// `fault` has cause, module and index; `core` the DRAM with the program and the base registers. Not for
/// no_progress (common/wait_graph.h).
std::string faultSentence(const CoreState &core, const ProgramRegisters &program, const Fault &fault);

} // namespace daedalus::sim::functional
