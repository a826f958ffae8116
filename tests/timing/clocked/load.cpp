// The writer works beat by beat and row by row, so the cycles of R16 come out of what it does.
#include "clocked/load.h"

#include <algorithm>
#include <cassert>

namespace daedalus::clocked {
namespace {

const isa::Load *asLoad(const Item &item) {
  return std::get_if<isa::Load>(item.instruction);
}

} // namespace

Segment Load::shown() const {
  if (generating->cursor)
    return generating->cursor->segment();
  Segment empty;
  empty.last = true;
  return empty;
}

FaultCause Load::shownFault() const {
  return generating->cursor ? generating->cursor->fault() : FaultCause::None;
}

/// R14, R15: segments and beats are both free until the cycle after the last write of their segment.
bool Load::hasRoom(const Segment &segment) const {
  return open.size() < shared.machine.outstandingReads &&
         (segment.kind != Segment::Kind::Burst || shared.machine.receiveBeats - room >= segment.beats);
}

std::optional<BurstRequest> Load::asks() const {
  if (!isShown() || shownFault() != FaultCause::None)
    return std::nullopt;
  const Segment segment = shown();
  if (segment.kind != Segment::Kind::Burst || !hasRoom(segment))
    return std::nullopt;
  return BurstRequest{segment.address, segment.bytes, segment.beats, generating->item.index};
}

/// R14, and R22, R23 for a segment over its limit or out of its scratchpad.
void Load::generate(bool granted) {
  if (!isShown())
    return;
  if (const FaultCause cause = shownFault(); cause != FaultCause::None) {
    shared.faults.report({cause, CounterModule::Load, generating->item.index});
    drops = true;
    return;
  }
  const Segment segment = shown();
  leaves = hasRoom(segment) && (segment.kind != Segment::Kind::Burst || granted);
}

/// R9; the generator is free in the cycle after the last segment left it.
bool Load::start() {
  const Item *head = queue.head();
  if (!head || generating || shared.faults.isSet())
    return false;
  const uint8_t wait = isa::waitMask(*head->instruction);
  if (tokens.firstMissing(isa::Module::Load, wait))
    return false;
  tokens.take(isa::Module::Load, wait);
  queue.pop();
  started.emplace(Generating{*head, shared.now, std::nullopt, shared.now + shared.machine.loadIssueLatency});
  if (const isa::Load *load = asLoad(*head))
    started->cursor.emplace(*load, shared.machine, shared.bases[load->base]);
  return true;
}

/// The bytes of a burst that one cycle writes: those of one beat that lie in one row; one byte in diagonal
/// mode.
uint32_t Load::burstStep(const Segment &segment, bool diagonal) {
  const uint32_t width = shared.machine.busBytes, n = shared.machine.n;
  const uint64_t address = segment.address + writer.bytes;
  const uint32_t beat = address / width - segment.address / width;
  if (beat >= writer.beats) { // takes the next beat out of the receive buffer
    if (received.empty() || received.front() > shared.now) {
      assert((writer.bytes == 0 || shared.silence.channel == Channel::R) &&
             "a burst has no gaps, so the writer never waits in its middle");
      return 0;
    }
    received.pop_front();
    ++writer.beats;
  }
  if (diagonal)
    return 1;
  const uint32_t inBeat = std::min<uint32_t>(width - address % width, segment.bytes - writer.bytes);
  const uint32_t inRow = n - (segment.scratch + writer.bytes) % n;
  return std::min(inBeat, inRow);
}

uint32_t Load::writeStep(const Open &front) {
  const Segment &segment = front.segment;
  const bool diagonal = segment.kind != Segment::Kind::Empty && asLoad(front.item)->diagonal;
  if (segment.kind == Segment::Kind::Burst)
    return burstStep(segment, diagonal);
  if (shared.now < front.writtenFrom)
    return 0;
  if (segment.kind == Segment::Kind::Empty || diagonal)
    return 1;
  const uint32_t n = shared.machine.n, inRow = n - (segment.scratch + writer.bytes) % n;
  return std::min(inRow, segment.bytes - writer.bytes);
}

/// R16, R17: one write to one row.
bool Load::write() {
  if (open.empty())
    return false;
  const Open &front = open.front();
  const uint32_t bytes = writeStep(front);
  if (bytes == 0)
    return false;
  writer.bytes += bytes;
  if (writer.bytes < front.segment.bytes)
    return true;
  writer = Writer();
  closed = true;
  if (front.segment.last) {
    tokens.give(isa::Module::Load, isa::signalMask(*front.item.instruction), front.item.index);
    shared.events.push_back({front.item.index, CounterModule::Load, front.start, shared.now});
  }
  return true;
}

CounterClass Load::classify(bool wrote, bool starts, bool asked, bool granted) const {
  if (wrote || starts)
    return CounterClass::Busy;
  if (asked && !granted)
    return CounterClass::Bus;
  if (generating || !open.empty())
    return CounterClass::Memory;
  if (const Item *head = queue.head())
    if (const auto missing = tokens.firstMissing(isa::Module::Load, isa::waitMask(*head->instruction)))
      return static_cast<CounterClass>(1 + code(*missing));
  return CounterClass::Idle;
}

void Load::evaluate(bool granted, bool beat) {
  const bool asked = asks().has_value();
  generate(granted);
  const bool starts = start();
  const bool wrote = write();
  if (beat)
    received.push_back(shared.now + shared.machine.receiveLatency);
  shared.count(CounterModule::Load, classify(wrote, starts, asked, granted));
}

void Load::commitGenerator() {
  if (leaves) {
    const Segment segment = shown();
    room += segment.beats;
    open.push_back({generating->item, generating->start, segment, shared.now + 2}); // R16
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

void Load::giveUp() {
  generating.reset();
  open.clear();
  received.clear();
  room = 0;
  writer = Writer();
}

void Load::commit() {
  if (closed) {
    room -= open.front().segment.beats;
    open.pop_front();
  }
  closed = false;
  commitGenerator();
}

} // namespace daedalus::clocked
