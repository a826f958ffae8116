// Arbitration happens in a second phase of the cycle, when both readers have asked or not (R11).
#include "systemc/bus.h"

namespace daedalus::sim::systemc {

Bus::Bus(sc_core::sc_module_name name, Run &run, Core &core, MemoryModel &memory)
    : sc_module(name), run(run), core(core), memory(memory) {
  SC_METHOD(arbitrate);
  sensitive << arbitration;
  dont_initialize();
}

void Bus::reset() {
  requests = {};
  lastGranted = LoadReader; // after START (R11)
  readFree = rowReadFree = responseFree = 0;
  arbitration.cancel();
}

void Bus::request(ReaderId id, uint64_t address, uint64_t beats) {
  requests[id] = {true, address, beats};
  arbitration.notify(sc_core::SC_ZERO_TIME); // when both have had their turn in this cycle
}

void Bus::arbitrate() {
  const Cycle now = run.clock.now();
  const ReaderId other = lastGranted == FetchReader ? LoadReader : FetchReader;
  const ReaderId winner = requests[other].asked ? other : lastGranted;
  const ReaderId loser = winner == FetchReader ? LoadReader : FetchReader;
  const Request won = requests[winner];
  const bool contested = requests[loser].asked;
  requests = {};
  const ReadBurst burst = grant(now, winner, won.address, won.beats);
  readers[winner]->granted(now, burst);
  if (contested)
    readers[loser]->denied(now);
}

ReadBurst Bus::grantLoad(Cycle now, uint64_t address, uint64_t beats) {
  return grant(now, LoadReader, address, beats);
}

ReadBurst Bus::grant(Cycle now, ReaderId winner, uint64_t address, uint64_t beats) {
  lastGranted = winner;
  ReadBurst burst;
  const Cycle handshake = now + 1;
  burst.first = std::max(handshake + memory.readLatency(handshake, address), readFree); // R12
  burst.last = burst.first + beats - 1;
  readFree = burst.last + 1;
  core.activeUntil(burst.last);
  return burst;
}

/// R19.
Cycle Bus::write(Cycle leave, uint64_t address, uint64_t beats) {
  const Cycle firstRead = std::max(leave + 1, rowReadFree);
  rowReadFree = firstRead + beats;
  const Cycle lastBeat = firstRead + beats - 1 + run.machine->storeReadLatency;
  const Cycle response = std::max(lastBeat + memory.writeLatency(lastBeat, address), responseFree);
  responseFree = response + 1;
  return response;
}

} // namespace daedalus::sim::systemc
