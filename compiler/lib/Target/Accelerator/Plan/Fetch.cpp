// See Fetch.h.

#include "Plan/Fetch.h"

#include <algorithm>

namespace daedalus::accelerator {

Fetch::Fetch(const isa::Machine &machine)
    : latency(machine.readLatency), room(machine.receiveBeats), beats(64 / machine.busBytes),
      size(machine.fetchBurst) {
  for (Cycle i = 0; i < machine.fetchBuffer / machine.fetchBurst; ++i)
    arrivals.push_back(2 + latency + i * size * beats);
}

/// Behind the last one of a burst there is room for another burst. What LOAD has asked for comes before it.
void Fetch::dispatch(Cycle cycle, Cycle channel) {
  if (++place < size)
    return;
  const Cycle asked = cycle + 1;
  arrivals[burst++ % arrivals.size()] = std::max(asked + 1 + latency, std::min(channel, asked + room));
  place = 0;
}

} // namespace daedalus::accelerator
