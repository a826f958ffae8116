// Counters with the cycle of their last increment, so that what is done in a cycle is seen in the next (R2).
#include "systemc/tokens.h"

#include "systemc/core.h"
#include "systemc/unit.h"

namespace daedalus::sim::systemc {

Tokens::Tokens(sc_core::sc_module_name name, Run &run, Core &core) : sc_module(name), run(run), core(core) {
  run.clock.connect<&Tokens::checkOverflow>(*this, overflow);
}

void Tokens::reset() {
  counters = {};
}

void Tokens::take(isa::Module consumer, unsigned mask, Cycle now) {
  for (; mask; mask &= mask - 1)
    --counters[__builtin_ctz(mask)][index(consumer)].value;
}

void Tokens::give(isa::Module producer, unsigned mask, uint32_t instruction, Cycle now) {
  for (unsigned consumer = 0; consumer < isa::ModuleCount; ++consumer) {
    if (!(mask >> consumer & 1))
      continue;
    Counter &counter = counters[index(producer)][consumer];
    ++counter.value;
    counter.given = now;
    counter.giver = instruction;
    units[consumer]->wakeAt(now + 1);
    // A decrement of this cycle may still come and cancel it (R10): look when all have acted.
    if (counter.value > isa::TokenCounterMax)
      run.clock.notify(overflow);
  }
}

void Tokens::checkOverflow() {
  const Cycle now = run.clock.now();
  for (unsigned producer = 0; producer < isa::ModuleCount; ++producer)
    for (unsigned consumer = 0; consumer < isa::ModuleCount; ++consumer) {
      const Counter &counter = counters[producer][consumer];
      if (counter.value <= isa::TokenCounterMax || counter.given != now)
        continue;
      Fault fault;
      fault.cause = isa::FaultCause::CounterOverflow;
      fault.index = counter.giver;
      fault.module = counterModule(static_cast<isa::Module>(producer));
      core.report(now, fault);
    }
}

} // namespace daedalus::sim::systemc
