// The program in program order: fetch, take tokens, execute, give tokens. Program order is a legal
// sequential execution, so an instruction that has to wait here waits for ever (no_progress).
#include "functional/engine.h"

#include "daedalus/isa/encoding.h"
#include "functional/instructions.h"

namespace daedalus::sim::functional {
namespace {

std::optional<Fault> tokenFault(isa::FaultCause cause, const std::string &detail) {
  Fault fault;
  fault.cause = cause;
  fault.detail = detail;
  return fault;
}

} // namespace

std::optional<Fault> Engine::step(const isa::Instruction &instruction, Tokens &tokens) {
  const isa::Module module = *isa::moduleOf(instruction);
  if (auto missing = tokens.take(module, isa::waitMask(instruction)))
    return tokenFault(isa::FaultCause::NoProgress, "in program order it waits for a token from " +
                                                       std::string(isa::name(*missing)) +
                                                       " that never comes");
  if (auto fault =
          std::visit([&](const auto &fields) { return functional::execute(fields, core); }, instruction))
    return fault;
  if (!tokens.give(module, isa::signalMask(instruction)))
    return tokenFault(isa::FaultCause::CounterOverflow, overflowSentence(isa::signalMask(instruction)));
  return std::nullopt;
}

bool Engine::execute(uint64_t, bool) {
  runProgram();
  return true;
}

void Engine::runProgram() {
  Tokens tokens;
  for (uint32_t index = 0;; ++index) {
    isa::Instruction instruction;
    if (auto fault = fetch(core, program, index, instruction)) {
      record.fault = *fault;
      return;
    }
    const auto module = isa::moduleOf(instruction);
    if (!module) {
      retire(index, isa::CounterModule::Fetch);
      return; // finish
    }
    core.log.index = index;
    core.log.module = counterModule(*module);
    if (auto fault = step(instruction, tokens)) {
      record.fault = *fault;
      record.fault.index = index;
      record.fault.module = counterModule(*module);
      return;
    }
    retire(index, counterModule(*module));
  }
}

void Engine::retire(uint32_t index, isa::CounterModule module) {
  if (core.log.observer)
    core.log.observer->retired({index, module, 0, 0});
}

} // namespace daedalus::sim::functional
