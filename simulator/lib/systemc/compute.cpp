// Two events an instruction: its start and its end.
#include "systemc/compute.h"

namespace daedalus::sim::systemc {

Compute::Compute(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, isa::Module module)
    : Unit(name, run, core, tokens, module) {
  run.clock.connect<&Compute::step>(*this, {&wake, &ends});
}

void Compute::reset() {
  Unit::reset();
  working = false;
}

void Compute::step() {
  const Cycle now = run.clock.now();
  if (working && now == end) {
    retire(current.instruction, current.index, started, end);
    wakeAt(now + 1);
    return;
  }
  if (working && now < end)
    return;
  working = false; // free from end + 1 (R9)
  if (canStart(now))
    begin(now);
  else
    rest(now);
}

void Compute::begin(Cycle now) {
  current = start(now);
  ledger.mark(now, isa::CounterClass::Busy, current.index);
  const Work work = workOf(current.instruction);
  working = true;
  started = now;
  end = now + work.duration;
  core.computesUntil(end);
  run.clock.notifyAt(ends, end);
  if (work.beforeBadRow == Never && !run.results)
    return;
  auto fault = execute(current.instruction);
  if (work.beforeBadRow == Never)
    return;
  fault->index = current.index;
  fault->module = counterModule(module);
  core.report(now + 3 + work.beforeBadRow, *fault); // R28
}

} // namespace daedalus::sim::systemc
