// Each step of an instruction through FETCH is a register: bus beat, buffer, check, head, queue.
#include "clocked/fetch.h"

#include <algorithm>

namespace daedalus::clocked {

uint32_t Fetch::burstLength() const {
  const uint32_t burst = shared.machine.fetchBurst;
  const uint64_t slot = address / isa::InstructionBytes + now.granted;
  return std::min<uint32_t>(burst - slot % burst, program.size() - now.granted);
}

bool Fetch::holdsFinish() const {
  return now.headValid && head() && std::holds_alternative<isa::Finish>(*head());
}

/// R4: it asks, or would if the burst were inside the limit.
bool Fetch::wants() const {
  const uint32_t length = burstLength();
  const bool room = shared.machine.fetchBuffer - now.reserved >= length;
  return shared.now > 0 && length > 0 && room && !holdsFinish() && !shared.faults.isSet();
}

bool Fetch::isBeyondLimit() const {
  return (uint64_t(now.granted) + burstLength()) * isa::InstructionBytes > limit;
}

std::optional<BurstRequest> Fetch::asks() const {
  if (!wants() || isBeyondLimit())
    return std::nullopt;
  const uint32_t bytes = burstLength() * isa::InstructionBytes;
  return BurstRequest{address + uint64_t(now.granted) * isa::InstructionBytes, bytes,
                      bytes / shared.machine.busBytes, now.granted};
}

bool Fetch::dispatch(std::array<Queue, isa::ModuleCount> &queues) {
  if (!now.headValid || holdsFinish())
    return false;
  if (!head()) {
    if (now.headFrom == shared.now) // R22
      shared.faults.report({FaultCause::IllegalEncoding, CounterModule::Fetch, now.loaded - 1});
    return false;
  }
  Queue &queue = queues[code(*isa::moduleOf(*head()))];
  if (shared.faults.isSet() || queue.count() >= shared.machine.queueDepth)
    return false;
  queue.push({now.loaded - 1, &*head()}); // R6
  next.reserved -= 1;
  next.headValid = false;
  next.missingFinish = now.loaded == program.size();
  return true;
}

void Fetch::receive(bool beat) {
  next.beats += beat;
  if (next.beats * shared.machine.busBytes < isa::InstructionBytes)
    return;
  next.beats = 0;
  next.arrived += 1;
}

/// R5: what arrived before this cycle passes the check in it, and moves to the head register in the next one
/// or when that is free.
void Fetch::loadHead() {
  next.checked = now.arrived;
  if (next.headValid || now.loaded == now.checked)
    return;
  next.headValid = true;
  next.loaded += 1;
  next.headFrom = shared.now + 1;
}

CounterClass Fetch::classify(bool dispatched, bool granted) const {
  if (dispatched)
    return CounterClass::Busy;
  if (holdsFinish() || shared.now == 0)
    return CounterClass::Idle;
  if (now.headValid)
    return CounterClass::QueueFull;
  return asks() && !granted ? CounterClass::Bus : CounterClass::Memory;
}

void Fetch::evaluate(bool granted, bool beat, std::array<Queue, isa::ModuleCount> &queues) {
  next = now;
  next.missingFinish = false;
  if (now.missingFinish || (program.empty() && shared.now == 1)) // R22: the cycle after the last dispatch
    shared.faults.report(
        {FaultCause::MissingFinish, CounterModule::Fetch, program.empty() ? 0 : now.loaded - 1});
  if (wants() && isBeyondLimit()) // R22
    shared.faults.report({FaultCause::AddressLimit, CounterModule::Fetch, now.granted});
  const bool dispatched = dispatch(queues);
  if (granted) {
    next.granted += burstLength();
    next.reserved += burstLength();
  }
  receive(beat);
  loadHead();
  shared.count(CounterModule::Fetch, classify(dispatched, granted));
}

} // namespace daedalus::clocked
