// Asks the readable semantics what is wrong with the one instruction. Whether it is wrong depends on its
// fields, the machine and the base registers alone, so it runs on an empty core.
#include "functional/fault_sentence.h"

#include "daedalus/isa/encoding.h"
#include "functional/instructions.h"

namespace daedalus::sim::functional {
namespace {

std::string executionSentence(const isa::Instruction &instruction, const CoreState &core,
                              isa::FaultCause cause) {
  CoreState empty(core.machine, core.dram.size(), core.dram.firstAddress());
  empty.bases = core.bases;
  empty.dram.answerAs(core.dram);
  const auto found = std::visit([&](const auto &fields) { return execute(fields, empty); }, instruction);
  return found && found->cause == cause ? found->detail : std::string(isa::name(cause));
}

} // namespace

std::string faultSentence(const CoreState &core, const ProgramRegisters &program, const Fault &fault) {
  if (fault.cause == isa::FaultCause::MemoryTimeout)
    return "the memory owed an answer and was silent for " +
           std::to_string(core.machine.memoryTimeoutCycles) + " cycles (memory_timeout_cycles)";
  const bool missing = fault.cause == isa::FaultCause::MissingFinish;
  isa::Instruction instruction;
  const uint32_t index = missing ? program.length : fault.index;
  if (const auto found = fetch(core, program, index, instruction))
    return found->detail;
  return fault.cause == isa::FaultCause::CounterOverflow ? overflowSentence(isa::signalMask(instruction))
                                                         : executionSentence(instruction, core, fault.cause);
}

} // namespace daedalus::sim::functional
