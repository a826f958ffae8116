// One grant a cycle; bursts answer in order, each without gaps.
#include "clocked/read_channel.h"

namespace daedalus::clocked {

Beat ReadChannel::beat() {
  if (bursts.empty() || shared.now < bursts.front().ready)
    return {};
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
  if (!fetch && !load)
    return Beat::For::Nobody;
  const bool toFetch = fetch && (!load || last == Beat::For::Load);
  const BurstRequest &request = toFetch ? *fetch : *load;
  last = toFetch ? Beat::For::Fetch : Beat::For::Load;
  // Granted in g: AR in g + 1, first beat not before g + 1 + L (R12).
  granted = Burst{last,          request.beats,
                  request.index, shared.isBusError(request.address, request.bytes),
                  false,         shared.now + 1 + shared.machine.readLatency};
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
