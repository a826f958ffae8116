// See Fetch.h.

#include "Plan/Fetch.h"

namespace daedalus::accelerator {

Fetch::Fetch(const isa::Machine &machine)
    : latency(machine.readLatency), room(machine.receiveBeats), beats(64 / machine.busBytes),
      size(machine.fetchBurst) {
  for (Cycle i = 0; i < machine.fetchBuffer / machine.fetchBurst; ++i)
    arrivals.push_back(2 + latency + i * size * beats);
}

} // namespace daedalus::accelerator
