// One grant a cycle; bursts answer in order, each without gaps.
#include "clocked/read_channel.h"

namespace daedalus::clocked {
namespace {

CounterModule moduleOf(Beat::For reader) {
  return reader == Beat::For::Fetch ? CounterModule::Fetch : CounterModule::Load;
}

} // namespace

void ReadChannel::address() {
  stuck = acted = false;
  if (bursts.empty() || bursts.back().ready)
    return;
  acted = shared.takes(Channel::Ar);
  stuck = !acted;
  if (!acted)
    return;
  const CounterModule module = moduleOf(bursts.back().reader);
  uint64_t &number = addressed[static_cast<unsigned>(module)];
  bursts.back().ready = shared.now + shared.latencyOf(module, number++); // the first beat (R12)
}

Fault ReadChannel::timeout() const {
  const Burst &burst = bursts.front();
  return {FaultCause::MemoryTimeout, moduleOf(burst.reader), burst.index};
}

Beat ReadChannel::beat() {
  if (bursts.empty() || !bursts.front().ready || shared.now < *bursts.front().ready ||
      !shared.takes(Channel::R))
    return {};
  acted = true;
  Burst &burst = bursts.front();
  if (!burst.begun && burst.bad)
    shared.faults.report({FaultCause::BusError, moduleOf(burst.reader), burst.index});
  burst.begun = true;
  --burst.beatsLeft;
  return {burst.reader, burst.bad};
}

/// Which of the two wins a cycle in which both ask.
bool ReadChannel::prefersFetch() const {
  switch (shared.arbiter) {
  case Arbiter::FetchFirst:
    return true;
  case Arbiter::LoadFirst:
    return false;
  default:
    return last == Beat::For::Load;
  }
}

Beat::For ReadChannel::arbitrate(const std::optional<BurstRequest> &fetch,
                                 const std::optional<BurstRequest> &load) {
  if (stuck || (!fetch && !load))
    return Beat::For::Nobody;
  const bool toFetch = fetch && (!load || prefersFetch());
  const BurstRequest &request = toFetch ? *fetch : *load;
  const Beat::For winner = toFetch ? Beat::For::Fetch : Beat::For::Load;
  if (shared.arbiter != Arbiter::ForgetsUncontested || (fetch && load))
    last = winner;
  granted = Burst{winner, request.beats, request.index, shared.isBusError(request.address, request.bytes),
                  false,  std::nullopt}; // on AR in the next cycle (R12)
  return winner;
}

void ReadChannel::commit() {
  if (!bursts.empty() && bursts.front().beatsLeft == 0)
    bursts.pop_front();
  if (granted)
    bursts.push_back(*granted);
  granted.reset();
}

} // namespace daedalus::clocked
