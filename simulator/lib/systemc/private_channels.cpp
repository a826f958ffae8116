#include "systemc/private_channels.h"

#include "daedalus/isa/encoding.h"

namespace daedalus::sim::systemc {

bool PrivateChannels::putsOff(const Run &run, ReaderId reader) {
  const ReadBound &bound = *run.timing.bound;
  if (reader == LoadReader || !bound.isUpper || bound.beatsAhead[fetched] == 0)
    return false;
  isPutOff = !isPutOff;
  return isPutOff;
}

ReadBurst PrivateChannels::grant(const Run &run, Cycle now, ReaderId reader, uint64_t beats) {
  return reader == FetchReader && run.timing.bound->isUpper
             ? grantBehindLoad(run, now, beats)
             : grantPlainly(now, reader, beats, run.machine->readLatency);
}

/// R12, where the other reader has no bursts.
ReadBurst PrivateChannels::grantPlainly(Cycle now, ReaderId reader, uint64_t beats, Cycle latency) {
  const Cycle first = std::max(now + 1 + latency, free[reader]);
  free[reader] = first + beats;
  return {first, first + beats - 1, beats};
}

/// FETCH's burst as late as LOAD can make it: behind all beats that may stand before it. One that comes
/// before all of LOAD's holds these up instead.
ReadBurst PrivateChannels::grantBehindLoad(const Run &run, Cycle now, uint64_t beats) {
  const isa::Machine &machine = *run.machine;
  const uint64_t ahead = run.timing.bound->beatsAhead[fetched++];
  if (ahead == 0) {
    const ReadBurst burst = grantPlainly(now, FetchReader, beats, machine.readLatency);
    free[LoadReader] = free[FetchReader];
    return burst;
  }
  const uint64_t buffer = uint64_t(machine.fetchBuffer) * isa::InstructionBytes / machine.busBytes;
  ReadBurst burst =
      grantPlainly(now, FetchReader, beats, std::max<Cycle>(machine.readLatency, buffer - beats));
  burst.first += ahead - 1;
  burst.last += ahead - 1;
  return burst;
}

} // namespace daedalus::sim::systemc
