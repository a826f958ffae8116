// Starts and ends of instructions, and whom they wake in the next cycle.
#include "systemc/unit.h"

#include "daedalus/isa/encoding.h"
#include "systemc/fetch.h"

namespace daedalus::sim::systemc {

Unit::Unit(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, isa::Module module)
    : sc_module(name), run(run), core(core), tokens(tokens), module(module), ledger(counterModule(module)) {
  tokens.connect(module, *this);
}

void Unit::reset() {
  queue.reset();
  ledger.reset(isa::CounterClass::Idle, run.spans);
}

void Unit::dispatch(const isa::Instruction &instruction, uint32_t index, Cycle now) {
  queue.push(instruction, index, now);
  wakeAt(now + 1);
}

std::optional<Unit::Waiting> Unit::waiting(Cycle now) const {
  const Issued *head = queue.head(now);
  if (!head)
    return std::nullopt;
  const auto missing = tokens.missing(module, head->waits, now);
  if (!missing)
    return std::nullopt;
  return Waiting{head->index, *missing};
}

bool Unit::canStart(Cycle now) const {
  return queue.head(now) && !core.isFaultSet(now) && !waiting(now);
}

Issued Unit::start(Cycle now) {
  Issued issued = queue.pop(now);
  tokens.take(module, issued.waits, now);
  fetch->started(module, now);
  WriteLog &log = run.core->log;
  log.index = issued.index;
  log.module = counterModule(module);
  log.cycle = now;
  if (log.observer)
    log.observer->started(issued.index, log.module, now);
  return issued;
}

void Unit::retire(const isa::Instruction &instruction, uint32_t index, Cycle start, Cycle end) {
  core.retire(index, counterModule(module), start, end);
  tokens.give(module, isa::signalMask(instruction), index, end);
  fetch->retired(end);
}

void Unit::rest(Cycle now) {
  const auto wait = waiting(now);
  if (!wait)
    return ledger.mark(now, isa::CounterClass::Idle);
  ledger.mark(now,
              static_cast<isa::CounterClass>(static_cast<unsigned>(isa::CounterClass::WaitLoad) +
                                             static_cast<unsigned>(wait->missing)),
              wait->index);
}

} // namespace daedalus::sim::systemc
