// One step a segment that is shown, asks or leaves, and one an end.
#include "systemc/load.h"

#include "common/load_bounds.h"
#include "functional/instructions.h"
#include "kernels/kernels.h"

namespace daedalus::sim::systemc {

using isa::CounterClass;
using isa::FaultCause;
using Kind = isa::LoadSegment::Kind;

Load::Load(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus, MemoryModel &memory)
    : MemoryUnit(name, run, core, tokens, isa::Module::Load), bus(bus), memory(memory) {
  bus.connect(LoadReader, *this);
  run.clock.connect<&Load::step>(*this, {&wake, &shows, &ends});
}

void Load::reset() {
  MemoryUnit::reset();
  clearSegments();
  generating = false;
  started = shown = writerFree = 0;
  open.clear();
  openBeats = 0;
}

void Load::step() {
  const Cycle now = run.clock.now();
  retireDue(now);
  const bool starts = !generating && canStart(now);
  if (starts)
    begin(now);
  else
    markClass(now);
  if (generating && shown <= now)
    showSegment(now);
}

void Load::begin(Cycle now) {
  current = start(now);
  ledger.mark(now, CounterClass::Busy, current.index);
  ledger.mark(now + 1, CounterClass::Memory, current.index);
  generating = true;
  started = now;
  load = ownOf<isa::Load>(current.instruction);
  soundThroughout = isSoundThroughout();
  beginSegments();
  shown = now + run.machine->loadIssueLatency; // R14
  run.clock.notifyAt(shows, shown);
  if (run.results)
    execute();
}

void Load::clearSegments() {
  segments.reset();
  listed.reset();
  costs.reset();
}

void Load::beginSegments() {
  clearSegments();
  if (load && soundThroughout && bus.isSteady())
    beginCosts(run.core->bases[load->base].address);
  else if (load)
    segments.emplace(*load, *run.machine, run.core->bases[load->base].address);
  nextSegment(true);
}

void Load::beginCosts(uint64_t baseAddress) {
  listed = lists.find(*load, *run.machine, baseAddress);
  if (!listed)
    costs.emplace(*load, *run.machine, baseAddress);
}

void Load::execute() {
  if (load && !executeFast(*load))
    functional::execute(*load, *run.core); // its fault is reported when its segment is shown
}

/// Takes the next segment; false when there is none. Mark and nop have one, which is empty.
bool Load::nextSegment(bool first) {
  fresh = true;
  if (hasCosts())
    return nextCost();
  if (segments)
    return segments->next(segment);
  segment = isa::LoadSegment();
  return first;
}

bool Load::nextCost() {
  if (!(listed ? listed->next(cost) : costs->next(cost)))
    return false;
  show(cost, listed ? listed->address() : costs->address());
  return true;
}

void Load::show(const LoadCost &next, uint64_t address) {
  segment.kind = next.beats ? Kind::Burst : Kind::Fill;
  segment.address = address;
  segment.beats = next.beats;
}

uint64_t Load::writeCycles() const {
  if (hasCosts())
    return cost.writes;
  return load ? isa::loadWriteCycles(*load, segment, *run.machine) : 1;
}

/// R14: the segment leaves as soon as there is room for it and, for a burst, the arbiter grants it.
void Load::showSegment(Cycle now) {
  if (hasCosts())
    if (const Cycle limit = run.clock.nextActivity(); limit > now) { // nobody else asks in this cycle
      shown = now;
      return runAheadByCosts(limit);
    }
  if (fresh && !soundThroughout && dropIfFaulty(now))
    return;
  fresh = false;
  const Cycle possible = departure(now);
  if (possible > now)
    await(possible);
  else if (segment.kind == Kind::Burst)
    bus.request(LoadReader, segment.address, segment.beats, current.index);
  else
    leave(now, {now + 2}); // R16
}

/// Shows the segment again in that cycle, which may be Never.
void Load::await(Cycle at) {
  if (at != Never)
    run.clock.notifyAt(shows, at);
}

/// What is wrong with the shown segment: outside its limit or its scope.
std::optional<Fault> Load::faultOfSegment() const {
  if (!load)
    return std::nullopt;
  if (segment.kind == Kind::Burst)
    if (std::optional<Fault> fault =
            functional::checkDram(*run.core, load->base, segment.offset, segment.offset + segment.bytes);
        fault && fault->cause != FaultCause::BusError) // of which only the memory's answer tells
      return fault;
  if (isa::inScope(*load, segment, *run.machine))
    return std::nullopt;
  const int64_t scale = load->diagonal ? run.machine->n : 1;
  const int64_t first = segment.runDst + scale * segment.position;
  return functional::checkScope(load->scope, "byte", first, first + scale * segment.bytes,
                                run.machine->bytes(load->scope));
}

/// R22: such a segment is reported in the first cycle it is shown, and dropped with the rest of the
/// instruction, which never ends.
bool Load::dropIfFaulty(Cycle now) {
  std::optional<Fault> fault = faultOfSegment();
  if (!fault)
    return false;
  fault->index = current.index;
  fault->module = isa::CounterModule::Load;
  core.report(now, *fault);
  core.transfersUntil(now);
  generating = false;
  wakeAt(now + 1);
  return true;
}

/// The first cycle from `now` on in which the shown segment has its place among the open ones (R14, R15).
Cycle Load::departure(Cycle now) {
  while (!open.empty() && open.front().lastWrite < now) {
    openBeats -= open.front().beats;
    open.pop_front();
  }
  const uint64_t wanted = segment.kind == Kind::Burst ? segment.beats : 0;
  size_t count = open.size();
  uint64_t beats = openBeats;
  Cycle possible = now;
  for (size_t i = 0; i < open.size(); ++i) {
    const OpenSegment closing = open[i];
    if (count < run.machine->outstandingReads && run.machine->receiveBeats - beats >= wanted)
      break;
    --count;
    beats -= closing.beats;
    possible = behind(closing.lastWrite);
  }
  return possible;
}

void Load::granted(Cycle now, const ReadBurst &burst) {
  const bool isHeld = soundThroughout || memory.holds(segment.address, segment.bytes);
  if (const uint64_t beat = isHeld ? Never : memory.errorBeat(segment.address, segment.bytes);
      beat < burst.arrives) {
    auto fault = functional::checkDram(*run.core, load->base, segment.offset, segment.offset + segment.bytes);
    fault->index = current.index;
    fault->module = isa::CounterModule::Load;
    core.report(burst.first + beat, *fault); // R22
  }
  leave(now, receivedOf(burst));
}

Load::Received Load::receivedOf(const ReadBurst &burst) const {
  return {burst.arrives ? burst.first + run.machine->receiveLatency : Never, burst.arrives};
}

void Load::denied(Cycle now) {
  ledger.mark(now, CounterClass::Bus, current.index);
  ledger.mark(now + 1, CounterClass::Memory, current.index);
  run.clock.notifyAt(shows, now + 1);
}

/// The shown segment leaves (R16).
void Load::leave(Cycle now, const Received &received) {
  if (depart(now, received))
    runAhead();
}

/// The cycle of the shown segment's last write. Where beats of it never come, what has come is written, and
/// nothing behind it is.
Cycle Load::write(const Received &received) {
  const Cycle first = std::max(received.from, writerFree);
  const bool isWhole = segment.kind != Kind::Burst || received.beats == segment.beats;
  if (!isWhole) {
    const uint64_t bus = run.machine->busBytes;
    segment.beats = static_cast<uint32_t>(received.beats);
    segment.bytes = static_cast<uint32_t>(received.beats * bus - segment.address % bus);
  }
  if (first != Never) {
    const Cycle last = first + writeCycles() - 1;
    ledger.markBusy(first, last, current.index);
    if (isWhole)
      return last;
  }
  if (writerFree != Never)
    ledger.markBusy(Never, Never, current.index); // what LOAD waits for from here on
  return Never;
}

/// Whether another segment is shown, from the next cycle on.
bool Load::depart(Cycle now, const Received &received) {
  const uint64_t beats = segment.kind == Kind::Burst ? segment.beats : 0;
  const Cycle last = write(received);
  writerFree = behind(last);
  core.transfersUntil(last);
  open.push_back({last, beats});
  openBeats += beats;
  shown = now + 1;
  if (nextSegment(false))
    return true;
  finish(now, last);
  return false;
}

/// The last segment left in cycle `now`, and is written up to `last`.
void Load::finish(Cycle now, Cycle last) {
  generating = false; // free from the next cycle on (R9)
  wakeAt(now + 1);
  endAt(current, started, last);
}

/// Segments leave in the cycles before the next one in which another process acts; the first that cannot is
/// shown by an event.
void Load::runAhead() {
  const Cycle limit = run.clock.nextActivity();
  if (hasCosts())
    return runAheadByCosts(limit);
  while (shown < limit && (soundThroughout || isSound()) && !bus.isStuck()) {
    const Cycle next = showAlone(shown);
    if (!generating)
      return;
    shown = next;
  }
  await(shown);
}

/// Whether the shown segment has no fault and the memory will answer it: others take the way of events.
bool Load::isSound() const {
  return !faultOfSegment() && (segment.kind != Kind::Burst || memory.holds(segment.address, segment.bytes));
}

/// Whether isSound() is true of all segments, by the instruction's fields.
bool Load::isSoundThroughout() const {
  if (!load)
    return true;
  const LoadBounds bounds = boundsOf(*load, *run.machine);
  if (bounds.dstBegin < 0 || bounds.dstEnd > run.machine->bytes(load->scope))
    return false;
  if (bounds.dramBegin >= bounds.dramEnd)
    return true;
  const BaseRegister &base = run.core->bases[load->base];
  return bounds.dramBegin >= 0 && bounds.dramEnd <= int64_t(base.limit) &&
         memory.holds(base.address + uint64_t(bounds.dramBegin), uint64_t(bounds.dramEnd - bounds.dramBegin));
}

/// As showSegment, in a cycle in which nobody else acts: the cycle in which a segment is shown next.
Cycle Load::showAlone(Cycle now) {
  fresh = false;
  const Cycle possible = departure(now);
  if (possible > now)
    return possible;
  Received received{now + 2}; // R16
  if (segment.kind == Kind::Burst)
    received = receivedOf(bus.grantLoad(now, segment.address, segment.beats, current.index));
  depart(now, received);
  return now + 1;
}

void Load::giveUp(Cycle now) {
  generating = false;
  open.clear();
  openBeats = 0;
  writerFree = std::min(writerFree, now + 1);
  run.clock.cancel(shows);
  dropEndings(now);
  ledger.dropBusy(now + 1);
  wakeAt(now + 1);
}

/// R25, but for the writer's cycles, which the ledger counts as busy whatever the class is.
void Load::markClass(Cycle now) {
  if (core.isFaultSet(now) && now < writerFree && writerFree != Never)
    wakeAt(writerFree); // a dropped instruction has no end that would wake us
  if (generating || now < writerFree)
    ledger.mark(now, CounterClass::Memory, current.index);
  else
    rest(now);
}

} // namespace daedalus::sim::systemc
