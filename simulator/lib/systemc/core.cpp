// Faults, watchdog and stop as events: each looks again at the first cycle in which its answer can change.
#include "systemc/core.h"

#include "functional/fault_sentence.h"
#include "systemc/unit.h"

namespace daedalus::sim::systemc {

using isa::CounterModule;
using isa::FaultCause;

namespace {

/// The place of a fault among those of one cycle (R21): three of the core, then five of each module.
unsigned order(const Fault &fault) {
  const unsigned ofModule = 3 + 5 * static_cast<unsigned>(fault.module);
  switch (fault.cause) {
  case FaultCause::IllegalEncoding:
    return 0;
  case FaultCause::MissingFinish:
    return 1;
  case FaultCause::NoProgress:
    return 2;
  case FaultCause::AddressLimit:
    return ofModule;
  case FaultCause::ScratchpadRange:
    return ofModule + 1;
  case FaultCause::BusError:
    return ofModule + 2;
  case FaultCause::MemoryTimeout:
    return ofModule + 3;
  case FaultCause::CounterOverflow:
    return ofModule + 4;
  case FaultCause::None:
    break;
  }
  return ~0u; // never reported
}

} // namespace

Core::Core(sc_core::sc_module_name name, Run &run) : sc_module(name), run(run) {
  run.clock.connect<&Core::watch>(*this, {&watchdog});
  run.clock.connect<&Core::halt>(*this, {&halting});
}

void Core::connect(std::function<bool()> undecided, std::function<Fault()> describe) {
  isUndecided = std::move(undecided);
  waits = std::move(describe);
}

void Core::reset() {
  computed = transferred = 0;
  stopped = false;
  faultCycle = Never;
  fault = Fault();
  run.clock.notifyAt(watchdog, run.machine->watchdogCycles - 1);
}

void Core::report(Cycle at, const Fault &reported) {
  if (at > faultCycle || (at == faultCycle && order(reported) >= order(fault)))
    return;
  faultCycle = at;
  fault = reported;
  run.clock.notifyAt(halting, at + 1);
}

void Core::giveUpTransfers(Cycle now) {
  transferred = now + 1;
  run.clock.notifyAt(halting, now + 1);
}

void Core::retire(uint32_t index, CounterModule module, Cycle start, Cycle end) {
  run.record->events.push_back({index, module, start, end});
  if (Observer *observer = run.core->log.observer)
    observer->retired(run.record->events.back());
}

void Core::stop(Cycle now) {
  run.record->cycles = now;
  stopped = true;
  if (faultCycle < now)
    recordFault();
  run.clock.stop();
}

void Core::recordFault() {
  run.record->fault = fault;
  if (fault.cause != FaultCause::NoProgress)
    run.record->fault.detail = functional::faultSentence(*run.core, run.program, fault);
}

/// R24. Looks again whenever the time that the last known activity allows has passed.
void Core::watch() {
  const Cycle now = run.clock.now(), patience = run.machine->watchdogCycles;
  if (isFaultSet(now) || quietSince() == Never)
    return;
  if (isUndecided())
    return run.clock.notifyAt(watchdog, now + patience);
  if (quietSince() + patience - 1 > now)
    return run.clock.notifyAt(watchdog, quietSince() + patience - 1);
  report(now, waits());
}

/// R23: the first cycle in which a fault is set and nothing moves.
void Core::halt() {
  const Cycle now = run.clock.now();
  if (!isFaultSet(now))
    return run.clock.notifyAt(halting, faultCycle + 1);
  if (isUndecided())
    return run.clock.notifyAt(halting, now + 1);
  if (quietSince() == Never)
    return; // until the memory is given up
  if (quietSince() > now)
    return run.clock.notifyAt(halting, quietSince());
  stop(now);
}

} // namespace daedalus::sim::systemc
