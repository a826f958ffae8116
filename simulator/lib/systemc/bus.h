// The memory port. Read side: the arbiter between FETCH and LOAD (R11), the only place where a decision
// sees another of its own cycle, and the channel behind it (R12). Write side: the burst's way from the rows
// of OUT to its response (R19), which nothing disturbs. Where the memory may be silent for too long, both
// sides are watched (R29).
#pragma once

#include "systemc/bus_side.h"
#include "systemc/core.h"
#include "systemc/dram.h"
#include "systemc/private_channels.h"

#include <array>

namespace daedalus::sim::systemc {

/// A module that reads. Both calls come in the cycle of the request, after all modules have acted.
class Reader {
public:
  virtual ~Reader() = default;
  virtual void granted(Cycle now, const ReadBurst &burst) = 0;
  virtual void denied(Cycle now) = 0;
};

class Bus : public sc_core::sc_module {
public:
  Bus(sc_core::sc_module_name name, Run &run, Core &core, MemoryModel &memory);

  void connect(ReaderId id, Reader &reader) { readers[id] = &reader; }
  void reset();
  /// Who gives up what is open on the bus behind a cycle in which the memory was silent for too long.
  void connect(std::function<void(Cycle)> giveUp) { this->giveUp = std::move(giveUp); }

  /// Asks for a read burst of that instruction in this cycle; not remembered when another is granted.
  void request(ReaderId id, uint64_t address, uint64_t beats, uint32_t index);
  /// Whether an address is on AR that the memory will never take: then nobody is granted any more.
  bool isStuck() const { return readsStuck; }
  /// The burst that LOAD asks for in cycle `now`, in which FETCH does not ask.
  ReadBurst grantLoad(Cycle now, uint64_t address, uint64_t beats, uint32_t index) {
    return isPlain ? grantPlainly(now, LoadReader, address, beats) : grantElse(now, address, beats, index);
  }
  /// Whether nothing of a burst but its cycle and its beats decides when its beats come: the machine's
  /// latency behind its address, and behind all beats before it (R12).
  bool isSteady() const { return isPlain && memory.isConstant(); }
  /// Then: the first cycle after the last beat of the read bursts so far.
  Cycle readFreeFrom() const { return readFree; }
  /// Then: LOAD has been granted bursts, as by grantLoad, and the first cycle after their last beat is
  /// `free`.
  void grantedUntil(Cycle free) {
    if (free == readFree)
      return;
    lastGranted = LoadReader;
    readFree = free;
    core.transfersUntil(free - 1);
  }
  /// A write burst leaves STORE in cycle `leave`: the cycle of its response, or Never. The memory is not
  /// ordered.
  Cycle write(Cycle leave, uint64_t address, uint64_t beats, uint32_t index);
  /// The same where isSteady().
  Cycle writeSteadily(Cycle leave, uint64_t beats) {
    const Cycle lastBeat = send(leave, beats);
    responseFree = std::max(lastBeat + run.machine->writeLatency, responseFree) + 1;
    return responseFree - 1;
  }
  /// The same where the memory is ordered: the cycle of its last beat.
  Cycle send(Cycle leave, uint64_t beats) {
    const Cycle lastBeat = std::max(leave + 1, rowReadFree) + run.machine->storeReadLatency + beats - 1;
    rowReadFree = lastBeat + 1 - run.machine->storeReadLatency;
    return lastBeat;
  }
  /// In the cycle of that last beat, in the order of bursts: the cycle of the response.
  Cycle answer(Cycle lastBeat, uint64_t address, uint64_t beats);

  /// S9: a read of one beat by another master, whose address is on the bus in cycle `handshake`: all grants
  /// of the cycles before have been made.
  HostRead readAsHost(Cycle handshake, uint64_t address) {
    const Cycle ready = handshake + memory.hostReadLatency(handshake, address);
    const HostRead read{std::max(ready, readFree), readFree > ready ? readFree - ready : 0};
    readFree = behind(read.beat);
    return read;
  }

private:
  struct Request {
    bool asked = false;
    uint64_t address = 0, beats = 0;
    uint32_t index = 0;
  };

  /// R12, of a memory that answers every burst, with nobody watching.
  ReadBurst grantPlainly(Cycle now, ReaderId reader, uint64_t address, uint64_t beats) {
    lastGranted = reader;
    const Cycle handshake = now + 1;
    const Cycle first = std::max(handshake + memory.readLatency(reader, handshake, address, beats), readFree);
    readFree = first + beats;
    core.transfersUntil(readFree - 1);
    return {first, readFree - 1, beats};
  }
  ReadBurst grantElse(Cycle now, uint64_t address, uint64_t beats, uint32_t index);
  void arbitrate();
  void serveBoth(Cycle now);
  ReadBurst grantPrivately(Cycle now, ReaderId reader, const Request &asked);
  ReadBurst grant(Cycle now, ReaderId winner, const Request &won);
  uint64_t take(BusChannel channel, uint64_t wanted);
  void noteRead(Cycle now, ReaderId reader, uint32_t index, const ReadBurst &burst);
  void watch();
  void finishGivingUp();

  Run &run;
  Core &core;
  MemoryModel &memory;
  std::array<Reader *, ReaderCount> readers{};
  std::array<Request, ReaderCount> requests;
  ReaderId lastGranted = LoadReader;
  PrivateChannels channels; ///< of a bound
  Cycle readFree = 0;       ///< first cycle after the last beat of the read bursts so far
  Cycle rowReadFree = 0;    ///< first cycle after the last row read of the write bursts so far
  Cycle responseFree = 0;   ///< first cycle after the last write response so far
  bool readsStuck = false, writesStuck = false; ///< an address is on AR, on AW, for ever
  bool watched = false;                         ///< the memory may be silent for too long
  bool isPlain = false;    ///< neither watched, which a memory that falls silent is, nor a bound
  uint64_t handshakes = 0; ///< on the channel that falls silent
  BusSide readSide, writeSide;
  std::function<void(Cycle)> giveUp;
  bool isGivingUp = false;
  Event patience;
  LateEvent arbitration, givingUp;
};

} // namespace daedalus::sim::systemc
