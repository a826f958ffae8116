// Asks the readable semantics what is wrong with the one instruction. Whether it is wrong depends on its fields,
// the machine and the base registers alone, so it runs on an empty core.
#include "rtl/fault_sentence.h"

#include "daedalus/isa/encoding.h"
#include "functional/instructions.h"

namespace daedalus::sim::rtl {
namespace {

std::string overflowSentence(const isa::Instruction &instruction) {
  std::string consumers;
  for (unsigned m = 0; m < isa::ModuleCount; ++m)
    if (isa::signalMask(instruction) >> m & 1)
      consumers += (consumers.empty() ? "" : " or ") + std::string(isa::name(static_cast<isa::Module>(m)));
  return "its token to " + consumers + " takes the counter past " + std::to_string(isa::TokenCounterMax);
}

std::string executionSentence(const isa::Instruction &instruction, const CoreState &core, isa::FaultCause cause) {
  CoreState empty(core.machine, core.dram.size());
  empty.bases = core.bases;
  const auto found = std::visit([&](const auto &fields) { return functional::execute(fields, empty); }, instruction);
  return found && found->cause == cause ? found->detail : std::string(isa::name(cause));
}

} // namespace

std::string faultSentence(const CoreState &core, uint64_t programAddress, uint32_t programLength, const Fault &fault) {
  const bool missing = fault.cause == isa::FaultCause::MissingFinish;
  isa::Instruction instruction;
  if (const auto found = functional::fetch(core, programAddress, programLength,
                                           missing ? programLength : fault.index, instruction))
    return found->detail;
  const std::string sentence = fault.cause == isa::FaultCause::CounterOverflow
                                   ? overflowSentence(instruction)
                                   : executionSentence(instruction, core, fault.cause);
  return "instruction " + std::to_string(fault.index) + " (" + isa::name(fault.module) + "): " + sentence;
}

} // namespace daedalus::sim::rtl
