// Arbitration happens in a second phase of the cycle, when both readers have asked or not (R11).
#include "systemc/bus.h"

namespace daedalus::sim::systemc {

Bus::Bus(sc_core::sc_module_name name, Run &run, Core &core, MemoryModel &memory)
    : sc_module(name), run(run), core(core), memory(memory) {
  run.clock.connect<&Bus::arbitrate>(*this, arbitration);
  run.clock.connect<&Bus::watch>(*this, {&patience});
  run.clock.connect<&Bus::finishGivingUp>(*this, givingUp);
}

void Bus::reset() {
  requests = {};
  lastGranted = LoadReader; // after START (R11)
  channels.reset();
  memory.reset();
  readFree = rowReadFree = responseFree = 0;
  readsStuck = writesStuck = isGivingUp = false;
  watched = memory.mayTimeOut();
  isPlain = !watched && !run.timing.bound;
  handshakes = 0;
  readSide.reset();
  writeSide.reset();
}

void Bus::request(ReaderId id, uint64_t address, uint64_t beats, uint32_t index) {
  requests[id] = {true, address, beats, index};
  run.clock.notify(arbitration); // when both have had their turn in this cycle
}

void Bus::arbitrate() {
  const Cycle now = run.clock.now();
  if (run.timing.bound)
    return serveBoth(now);
  if (readsStuck) {
    for (unsigned id = 0; id < ReaderCount; ++id)
      if (requests[id].asked)
        readers[id]->denied(now);
    requests = {};
    return;
  }
  const ReaderId other = lastGranted == FetchReader ? LoadReader : FetchReader;
  const ReaderId winner = requests[other].asked ? other : lastGranted;
  const ReaderId loser = winner == FetchReader ? LoadReader : FetchReader;
  const Request won = requests[winner];
  const bool contested = requests[loser].asked;
  requests = {};
  const ReadBurst burst = grant(now, winner, won);
  readers[winner]->granted(now, burst);
  if (contested)
    readers[loser]->denied(now);
}

/// In place of the arbiter, where the run is a bound.
void Bus::serveBoth(Cycle now) {
  const std::array<Request, ReaderCount> asked = requests;
  requests = {};
  for (const ReaderId reader : {FetchReader, LoadReader}) {
    if (!asked[reader].asked)
      continue;
    if (channels.putsOff(run, reader))
      readers[reader]->denied(now);
    else
      readers[reader]->granted(now, grantPrivately(now, reader, asked[reader]));
  }
}

ReadBurst Bus::grantPrivately(Cycle now, ReaderId reader, const Request &asked) {
  const ReadBurst burst = channels.grant(run, now, reader, asked.beats);
  core.transfersUntil(burst.last);
  return burst;
}

ReadBurst Bus::grantElse(Cycle now, uint64_t address, uint64_t beats, uint32_t index) {
  const Request asked{true, address, beats, index};
  return run.timing.bound ? grantPrivately(now, LoadReader, asked) : grant(now, LoadReader, asked);
}

/// How many of the next handshakes of the channel take place.
uint64_t Bus::take(BusChannel channel, uint64_t wanted) {
  const std::optional<Silence> &silence = memory.silence();
  if (!silence || silence->channel != channel)
    return wanted;
  const uint64_t taken = std::min(wanted, silence->after - handshakes);
  handshakes += taken;
  return taken;
}

ReadBurst Bus::grant(Cycle now, ReaderId winner, const Request &won) {
  if (isPlain)
    return grantPlainly(now, winner, won.address, won.beats);
  lastGranted = winner;
  ReadBurst burst;
  const Cycle handshake = now + 1;
  readsStuck = take(BusChannel::Ar, 1) == 0;
  burst.arrives = readsStuck ? 0 : take(BusChannel::R, won.beats);
  if (burst.arrives)
    burst.first =
        std::max(handshake + memory.readLatency(winner, handshake, won.address, won.beats), readFree); // R12
  if (burst.arrives == won.beats)
    burst.last = burst.first + won.beats - 1;
  readFree = behind(burst.last);
  core.transfersUntil(burst.last);
  if (watched)
    noteRead(now, winner, won.index, burst);
  return burst;
}

void Bus::noteRead(Cycle now, ReaderId reader, uint32_t index, const ReadBurst &burst) {
  readSide.owes(now + 1, burst.last, moduleOf(reader), index);
  if (!readsStuck)
    readSide.acts(0, now + 1, now + 1);
  if (burst.arrives)
    readSide.acts(1, burst.first, burst.first + burst.arrives - 1);
  run.clock.notifyAt(patience, now + 1 + run.machine->memoryTimeoutCycles);
}

/// R19. A burst behind an address that is never taken is not read; its own beats are.
Cycle Bus::write(Cycle leave, uint64_t address, uint64_t beats, uint32_t index) {
  const bool isShown = !writesStuck, isTaken = isShown && take(BusChannel::Aw, 1) == 1;
  writesStuck = !isTaken;
  const Cycle firstBeat = std::max(leave + 1, rowReadFree) + run.machine->storeReadLatency;
  const uint64_t sent = isShown ? take(BusChannel::W, beats) : 0;
  const Cycle lastBeat = firstBeat + beats - 1;
  rowReadFree = sent == beats ? lastBeat + 1 - run.machine->storeReadLatency : rowReadFree;
  Cycle response = Never;
  if (isTaken && sent == beats && take(BusChannel::B, 1) == 1)
    response = std::max(lastBeat + memory.writeLatency(lastBeat, address, beats), responseFree);
  responseFree = behind(response);
  if (!watched)
    return response;
  writeSide.owes(leave + 1, response, isa::CounterModule::Store, index);
  if (isTaken)
    writeSide.acts(0, leave + 1, leave + 1);
  if (sent)
    writeSide.acts(1, firstBeat, firstBeat + sent - 1);
  if (response != Never)
    writeSide.acts(2, response, response);
  run.clock.notifyAt(patience, leave + 1 + run.machine->memoryTimeoutCycles);
  return response;
}

Cycle Bus::answer(Cycle lastBeat, uint64_t address, uint64_t beats) {
  const Cycle response = std::max(lastBeat + memory.writeLatency(lastBeat, address, beats), responseFree);
  responseFree = response + 1;
  return response;
}

/// R29.
void Bus::watch() {
  const Cycle now = run.clock.now();
  Cycle next = Never;
  for (BusSide *side : {&readSide, &writeSide}) {
    const Cycle at = side->look(now, run.machine->memoryTimeoutCycles);
    if (at == now) {
      core.report(now, side->timeout(now));
      isGivingUp = true;
    } else {
      next = std::min(next, at);
    }
  }
  if (isGivingUp)
    run.clock.notify(givingUp);
  else if (next != Never)
    run.clock.notifyAt(patience, next);
}

/// Behind what everybody does in this cycle, grants included: two steps behind its begin.
void Bus::finishGivingUp() {
  if (isGivingUp) {
    isGivingUp = false;
    return run.clock.notify(givingUp);
  }
  readSide.reset();
  writeSide.reset();
  giveUp(run.clock.now());
}

} // namespace daedalus::sim::systemc
