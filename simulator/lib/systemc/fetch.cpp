// One step a cycle in which something can change: the head arrives, a queue has room again, a burst is asked
// for.
#include "systemc/fetch.h"

#include "daedalus/isa/encoding.h"
#include "systemc/unit.h"

namespace daedalus::sim::systemc {

using isa::CounterClass;
using isa::CounterModule;
using isa::FaultCause;

Fetch::Fetch(sc_core::sc_module_name name, Run &run, Core &core, Bus &bus, MemoryModel &memory)
    : sc_module(name), run(run), core(core), bus(bus), memory(memory) {
  bus.connect(FetchReader, *this);
  run.clock.connect<&Fetch::step>(*this, {&wake});
}

void Fetch::reset() {
  ledger.reset(CounterClass::Idle, run.spans); // cycle 0
  arrivals.clear();
  head.reset();
  headIsIllegal = heldHead = hasFailed = false;
  headSince = dispatchFree = 0;
  nextToAsk = reserved = dispatched = 0;
  wakeAt(1);
}

uint64_t Fetch::addressOf(uint32_t index) const {
  return run.program.address + uint64_t(index) * isa::InstructionBytes;
}

void Fetch::step() {
  const Cycle now = run.clock.now();
  if (now == 1 && run.program.length == 0)
    reportMissingFinish(now);
  const bool holdsHead = heldHead = headArrival() <= now;
  if (holdsHead && !head && !headIsIllegal)
    decodeHead(now);
  const bool wants = wantsBurst(now); // sees the state before this cycle's dispatch (R2)
  const uint32_t next = dispatched;
  const bool dispatches = holdsHead && !isFinishInHead() && dispatchHead(now);
  ledger.mark(now,
              dispatches         ? CounterClass::Busy
              : isFinishInHead() ? CounterClass::Idle
              : holdsHead        ? CounterClass::QueueFull
                                 : CounterClass::Memory,
              next);
  if (wants && isBeyondLimit())
    reportBeyondLimit(now);
  else if (wants)
    bus.request(FetchReader, addressOf(nextToAsk),
                uint64_t(burstInstructions()) * isa::InstructionBytes / run.machine->busBytes, nextToAsk);
  if (isFinishInHead())
    finishIfQuiet(now);
  else if (wants || dispatches)
    wakeAt(now + 1);
  else if (headArrival() > now && headArrival() != Never)
    wakeAt(headArrival());
}

void Fetch::decodeHead(Cycle now) {
  const uint8_t *word = run.core->dram.at(addressOf(arrivals.front().index));
  headSince = now;
  if (const isa::Instruction *known = run.decoded->find(arrivals.front().index, word)) {
    head = *known;
    return;
  }
  if (auto decoded = isa::decode(Span<const uint8_t>(word, isa::InstructionBytes), *run.machine)) {
    head = *decoded;
    run.decoded->keep(arrivals.front().index, word, *head);
    return;
  }
  headIsIllegal = true;
  Fault fault;
  fault.cause = FaultCause::IllegalEncoding;
  fault.index = arrivals.front().index;
  core.report(now, fault);
}

bool Fetch::dispatchHead(Cycle now) {
  if (headIsIllegal || core.isFaultSet(now))
    return false;
  const uint32_t index = arrivals.front().index;
  Unit &unit = *units[static_cast<unsigned>(*isa::moduleOf(*head))];
  if (!unit.hasRoom(now))
    return false; // the unit wakes us when it starts an instruction (R7)
  unit.dispatch(*head, index, now);
  arrivals.pop_front();
  head.reset();
  dispatchFree = now + 1;
  --reserved;
  ++dispatched;
  if (index + 1 == run.program.length)
    reportMissingFinish(now + 1); // R22
  return true;
}

void Fetch::reportMissingFinish(Cycle at) {
  Fault fault;
  fault.cause = FaultCause::MissingFinish;
  fault.index = run.program.length ? run.program.length - 1 : 0;
  core.report(at, fault);
}

/// R8: FINISH starts in its first cycle in the head register; it ends when nothing is left to do.
void Fetch::finishIfQuiet(Cycle now) {
  if (core.isFaultSet(now))
    return;
  for (const Unit *unit : units)
    if (!unit->isQueueEmpty(now))
      return; // a start or an end wakes us
  if (!core.isQuiet(now)) {
    if (core.quietSince() > now && core.quietSince() != Never)
      wakeAt(core.quietSince());
    return;
  }
  core.retire(arrivals.front().index, CounterModule::Fetch, headSince, now);
  core.stop(now);
}

/// R4.
bool Fetch::wantsBurst(Cycle now) const {
  return nextToAsk < run.program.length && run.machine->fetchBuffer - reserved >= burstInstructions() &&
         !isFinishInHead() && !core.isFaultSet(now);
}

/// R22: the burst that it would ask for goes over the program's limit.
bool Fetch::isBeyondLimit() const {
  return (uint64_t(nextToAsk) + burstInstructions()) * isa::InstructionBytes > run.program.limit;
}

void Fetch::reportBeyondLimit(Cycle now) {
  Fault fault;
  fault.cause = FaultCause::AddressLimit;
  fault.index = nextToAsk;
  core.report(now, fault);
}

uint32_t Fetch::burstInstructions() const {
  const uint32_t burst = run.machine->fetchBurst;
  const uint64_t position = addressOf(nextToAsk) / isa::InstructionBytes;
  return std::min(burst - uint32_t(position % burst), run.program.length - nextToAsk);
}

void Fetch::granted(Cycle now, const ReadBurst &burst) {
  const uint32_t count = burstInstructions();
  const Cycle beats = isa::InstructionBytes / run.machine->busBytes;
  const uint64_t address = addressOf(nextToAsk), bytes = uint64_t(count) * isa::InstructionBytes;
  const uint64_t error = memory.holds(address, bytes) ? Never : memory.errorBeat(address, bytes);
  for (uint32_t i = 0; i < count && !hasFailed; ++i)
    if (const uint64_t last = (i + 1) * beats - 1; last < std::min(error, burst.arrives))
      arrivals.push_back({nextToAsk + i, burst.first + last});
  if (error < burst.arrives) {
    Fault fault;
    fault.cause = FaultCause::BusError;
    fault.index = nextToAsk;
    core.report(burst.first + error, fault);
    hasFailed = true; // it takes no beat from there on (R22)
  }
  reserved += count;
  nextToAsk += count;
}

void Fetch::denied(Cycle now) {
  if (!heldHead) // dispatch, queue full and idle come first (R25)
    ledger.mark(now, CounterClass::Bus, dispatched);
}

void Fetch::giveUp(Cycle now) {
  while (!arrivals.empty() && arrivals.back().lastBeat > now)
    arrivals.pop_back();
  wakeAt(now + 1);
}

std::optional<isa::Module> Fetch::blockedBy(Cycle now) const {
  if (!head || isFinishInHead())
    return std::nullopt;
  return isa::moduleOf(*head);
}

} // namespace daedalus::sim::systemc
