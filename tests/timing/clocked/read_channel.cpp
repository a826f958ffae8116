// One grant a cycle; bursts answer in order, each without gaps.
#include "clocked/read_channel.h"

namespace daedalus::clocked {

void ReadChannel::address() {
  stuck = acted = false;
  if (bursts.empty() || bursts.back().ready)
    return;
  acted = shared.takes(Channel::Ar);
  stuck = !acted;
  if (acted) // the first beat not before the handshake + L (R12)
    bursts.back().ready = shared.now + shared.machine.readLatency;
}

Fault ReadChannel::timeout() const {
  const Burst &burst = bursts.front();
  return {FaultCause::MemoryTimeout,
          burst.reader == Beat::For::Fetch ? CounterModule::Fetch : CounterModule::Load, burst.index};
}

Beat ReadChannel::beat() {
  if (bursts.empty() || !bursts.front().ready || shared.now < *bursts.front().ready ||
      !shared.takes(Channel::R))
    return {};
  acted = true;
  Burst &burst = bursts.front();
  if (!burst.begun && burst.bad)
    shared.faults.report({FaultCause::BusError,
                          burst.reader == Beat::For::Fetch ? CounterModule::Fetch : CounterModule::Load,
                          burst.index});
  burst.begun = true;
  --burst.beatsLeft;
  return {burst.reader, burst.bad};
}

Beat::For ReadChannel::arbitrate(const std::optional<BurstRequest> &fetch,
                                 const std::optional<BurstRequest> &load) {
  if (stuck || (!fetch && !load))
    return Beat::For::Nobody;
  const bool toFetch = fetch && (!load || last == Beat::For::Load);
  const BurstRequest &request = toFetch ? *fetch : *load;
  last = toFetch ? Beat::For::Fetch : Beat::For::Load;
  granted = Burst{last,  request.beats, request.index, shared.isBusError(request.address, request.bytes),
                  false, std::nullopt}; // on AR in the next cycle (R12)
  return last;
}

void ReadChannel::commit() {
  if (!bursts.empty() && bursts.front().beatsLeft == 0)
    bursts.pop_front();
  if (granted)
    bursts.push_back(*granted);
  granted.reset();
}

} // namespace daedalus::clocked
