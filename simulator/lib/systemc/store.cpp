// One step a start and one an end; the segments between are a loop.
#include "systemc/store.h"

#include "functional/instructions.h"
#include "kernels/kernels.h"

namespace daedalus::sim::systemc {

using isa::CounterClass;
using isa::FaultCause;

Store::Store(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus,
             MemoryModel &memory)
    : MemoryUnit(name, run, core, tokens, isa::Module::Store), bus(bus), memory(memory) {
  run.clock.connect<&Store::step>(*this, {&wake, &ends});
  run.clock.connect<&Store::answer>(*this, {&answers});
}

void Store::reset() {
  MemoryUnit::reset();
  dropped = false;
  generatorFree = completed = 0;
  open.clear();
  generating = false;
  unanswered.clear();
  begun.clear();
}

void Store::step() {
  const Cycle now = run.clock.now();
  retireDue(now);
  if (generating)
    return showSegment(now);
  if (now < generatorFree)
    return awaitGenerator();
  if (!dropped && canStart(now))
    begin(now);
  else
    rest(now);
}

void Store::begin(Cycle now) {
  current = start(now);
  ledger.mark(now, CounterClass::Busy, current.index); // until its last segment leaves (R25)
  const auto *store = ownOf<isa::Store>(current.instruction);
  if (store && run.results)
    execute(*store);
  if (memory.isOrdered())
    return beginInOrder(now);
  if (store && bus.isSteady() && isSound(*store)) {
    scheduleSteadily(*store, now);
  } else if (store) {
    schedule(*store, now);
  } else {
    scheduleEmpty(now);
  }
  awaitGenerator();
  const Cycle free = std::max(generatorFree, completed);
  core.transfersUntil(free == Never ? Never : free - 1);
  if (!dropped)
    endAt(current, now, completed == Never ? Never : completed - 1);
}

void Store::awaitGenerator() {
  if (generatorFree != Never)
    wakeAt(generatorFree);
}

void Store::execute(const isa::Store &store) {
  if (!executeFast(store))
    functional::execute(store, *run.core); // its fault is reported when its segment is shown
}

/// The cycles of all segments, in order.
void Store::schedule(const isa::Store &store, Cycle now) {
  isa::StoreSegments segments(store, *run.machine, run.core->bases[store.base].address);
  isa::StoreSegment segment;
  Cycle shown = now + run.machine->storeIssueLatency; // R20
  while (segments.next(segment)) {
    generatorFree = shown + 1;
    if (reportFaulty(store, segment, shown))
      return;
    const Cycle leave = departure(shown);
    if (leave == Never)
      return neverLeaves();
    const Cycle response = bus.write(leave, segment.address, segment.beats, current.index);
    if (response != Never)
      reportError(store, segment, current.index, response);
    complete(behind(response));
    shown = generatorFree = leave + 1;
  }
}

/// R22: what the memory answers with an error.
void Store::reportError(const isa::Store &store, const isa::StoreSegment &segment, uint32_t index,
                        Cycle response) {
  if (memory.holds(segment.address, segment.bytes))
    return;
  auto fault = functional::checkDram(*run.core, store.base, segment.offset, segment.offset + segment.bytes);
  fault->index = index;
  fault->module = isa::CounterModule::Store;
  core.report(response, *fault);
}

/// Mark and nop are one empty segment.
void Store::scheduleEmpty(Cycle now) {
  const Cycle leave = departure(now + run.machine->storeIssueLatency);
  if (leave == Never)
    return neverLeaves();
  complete(leave + 1);
  generatorFree = leave + 1;
}

/// All that may be open is, and the memory is silent.
void Store::neverLeaves() {
  generatorFree = completed = Never;
}

void Store::giveUp(Cycle now) {
  generatorFree = std::min(generatorFree, now + 1);
  completed = std::min(completed, now + 1);
  open.clear();
  generating = false;
  unanswered.clear();
  begun.clear();
  run.clock.cancel(answers);
  dropEndings(now);
  wakeAt(now + 1);
}

/// R20: the first cycle in which fewer segments are open than the machine allows.
Cycle Store::departure(Cycle shown) {
  while (!open.empty() && open.front() < shown)
    open.pop_front();
  if (open.size() < run.machine->outstandingWrites)
    return shown;
  const Cycle closing = open[open.size() - run.machine->outstandingWrites];
  return behind(closing);
}

/// R22: a segment outside its limit or its scope, in the first cycle it is shown.
bool Store::reportFaulty(const isa::Store &store, const isa::StoreSegment &segment, Cycle shown) {
  const int64_t scopeBytes = run.machine->bytes(store.scope);
  if (isa::inLimit(segment.offset, segment.bytes, run.core->bases[store.base].limit) && segment.src >= 0 &&
      segment.src + segment.bytes <= scopeBytes)
    return false;
  auto fault = functional::checkDram(*run.core, store.base, segment.offset, segment.offset + segment.bytes);
  if (fault && fault->cause == FaultCause::BusError)
    fault.reset(); // only the memory's answer tells
  if (!fault)
    fault = functional::checkScope(store.scope, "byte", segment.src, segment.src + segment.bytes,
                                   run.machine->bytes(store.scope));
  if (!fault)
    return false;
  fault->index = current.index;
  fault->module = isa::CounterModule::Store;
  core.report(shown, *fault);
  dropped = true;
  return true;
}

} // namespace daedalus::sim::systemc
