// A burst passes reading, waiting and completion in order, at most one step a cycle in each.
#include "clocked/store.h"

namespace daedalus::clocked {

Segment Store::shown() const {
  if (generating->cursor)
    return generating->cursor->segment();
  Segment empty;
  empty.last = true;
  return empty;
}

/// R20; a segment that may not be written is dropped with the rest of its instruction (R22, R23).
void Store::generate() {
  if (!generating || shared.now < generating->shownFrom)
    return;
  const FaultCause cause = generating->cursor ? generating->cursor->fault() : FaultCause::None;
  if (cause != FaultCause::None)
    shared.faults.report({cause, CounterModule::Store, generating->item.index});
  drops = cause != FaultCause::None;
  leaves = !drops && open.size() < shared.machine.outstandingWrites;
}

bool Store::start() {
  const Item *head = queue.head();
  if (!head || generating || shared.faults.isSet())
    return false;
  const uint8_t wait = isa::waitMask(*head->instruction);
  if (tokens.firstMissing(isa::Module::Store, wait))
    return false;
  tokens.take(isa::Module::Store, wait);
  queue.pop();
  started.emplace(Generating{*head, shared.now, std::nullopt, shared.now + shared.machine.storeIssueLatency});
  if (const isa::Store *store = std::get_if<isa::Store>(head->instruction))
    started->cursor.emplace(*store, shared.machine, shared.bases[store->base]);
  return true;
}

/// R19: the address of a burst that left in the cycle before, or is refused since.
void Store::address() {
  if (addressed == left || !shared.takes(Channel::Aw))
    return;
  ++addressed;
  acted = true;
}

/// R19: one beat a cycle is read, of a burst whose address is on AW or was; its W beat follows S cycles
/// later.
void Store::read() {
  if (reading.empty() || reading.front().number > addressable)
    return;
  Burst &burst = reading.front();
  wire.push_back({shared.now + shared.machine.storeReadLatency, std::nullopt});
  if (--burst.beatsLeft > 0)
    return;
  wire.back().ended = burst;
  reading.pop_front();
}

/// R19: the response comes LW after the last beat.
void Store::send() {
  if (wire.empty() || shared.now < wire.front().from || !shared.takes(Channel::W))
    return;
  acted = true;
  if (std::optional<Burst> &ended = wire.front().ended) {
    ended->answerFrom = shared.now + shared.latencyOf(CounterModule::Store, ended->number);
    waiting.push_back(*ended);
  }
  wire.pop_front();
}

/// R19, R22: one response a cycle.
void Store::answer() {
  if (waiting.empty() || shared.now < waiting.front().answerFrom || waiting.front().number >= addressed ||
      !shared.takes(Channel::B))
    return;
  acted = true;
  if (waiting.front().bad)
    shared.faults.report({FaultCause::BusError, CounterModule::Store, waiting.front().index});
  waiting.pop_front();
  answers = true;
}

/// R20: one completion a cycle.
void Store::complete() {
  if (open.empty() || !open.front().answered)
    return;
  const Open &front = open.front();
  completes = true;
  if (!front.segment.last)
    return;
  tokens.give(isa::Module::Store, isa::signalMask(*front.item.instruction), front.item.index);
  shared.events.push_back({front.item.index, CounterModule::Store, front.start, shared.now});
}

CounterClass Store::classify(bool starts) const {
  if (starts || generating)
    return CounterClass::Busy;
  if (const Item *head = queue.head())
    if (const auto missing = tokens.firstMissing(isa::Module::Store, isa::waitMask(*head->instruction)))
      return static_cast<CounterClass>(1 + code(*missing));
  return CounterClass::Idle;
}

void Store::evaluate() {
  acted = false;
  addressable = addressed;
  complete();
  answer();
  address();
  send();
  read();
  generate();
  shared.count(CounterModule::Store, classify(start()));
}

void Store::commitGenerator() {
  if (leaves) {
    const Segment segment = shown();
    const bool isBurst = segment.kind == Segment::Kind::Burst;
    open.push_back({generating->item, generating->start, segment, !isBurst});
    if (isBurst) {
      reading.push_back({generating->item.index, segment.beats,
                         shared.isBusError(segment.address, segment.bytes), left++, 0});
      unanswered.push_back(generating->item.index);
    }
    drops = segment.last;
    if (!segment.last) {
      generating->cursor->next();
      generating->shownFrom = shared.now + 1;
    }
  }
  if (drops)
    generating.reset();
  if (started)
    generating = started;
  started.reset();
  leaves = drops = false;
}

void Store::giveUp() {
  generating.reset();
  open.clear();
  unanswered.clear();
  reading.clear();
  wire.clear();
  waiting.clear();
}

void Store::commit() {
  if (completes)
    open.pop_front();
  if (answers)
    unanswered.pop_front();
  if (answers)
    for (Open &segment : open)
      if (!segment.answered) {
        segment.answered = true;
        break;
      }
  answers = completes = false;
  commitGenerator();
}

} // namespace daedalus::clocked
