// The memory port. Read side: the arbiter between FETCH and LOAD (R11), the only place where a decision
// sees another of its own cycle, and the channel behind it (R12). Write side: the burst's way from the rows
// of OUT to its response (R19), which nothing disturbs.
#pragma once

#include "systemc/core.h"
#include "systemc/dram.h"

#include <array>

namespace daedalus::sim::systemc {

/// The beats of a granted read burst: the first and the last are on the bus in these cycles.
struct ReadBurst {
  Cycle first, last;
};

/// A module that reads. Both calls come in the cycle of the request, after all modules have acted.
class Reader {
public:
  virtual ~Reader() = default;
  virtual void granted(Cycle now, const ReadBurst &burst) = 0;
  virtual void denied(Cycle now) = 0;
};

class Bus : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(Bus);
  enum ReaderId { FetchReader, LoadReader, ReaderCount };

  Bus(sc_core::sc_module_name name, Run &run, Core &core, MemoryModel &memory);

  void connect(ReaderId id, Reader &reader) { readers[id] = &reader; }
  void reset();

  /// Asks for a read burst in this cycle; not remembered when another is granted.
  void request(ReaderId id, uint64_t address, uint64_t beats);
  /// The burst that LOAD asks for in cycle `now`, in which FETCH does not ask.
  ReadBurst grantLoad(Cycle now, uint64_t address, uint64_t beats);
  /// A write burst leaves STORE in cycle `leave`: the cycle of its response.
  Cycle write(Cycle leave, uint64_t address, uint64_t beats);

private:
  struct Request {
    bool asked = false;
    uint64_t address = 0, beats = 0;
  };

  void arbitrate();
  ReadBurst grant(Cycle now, ReaderId winner, uint64_t address, uint64_t beats);

  Run &run;
  Core &core;
  MemoryModel &memory;
  std::array<Reader *, ReaderCount> readers{};
  std::array<Request, ReaderCount> requests;
  ReaderId lastGranted = LoadReader;
  Cycle readFree = 0;     ///< first cycle after the last beat of the read bursts so far
  Cycle rowReadFree = 0;  ///< first cycle after the last row read of the write bursts so far
  Cycle responseFree = 0; ///< first cycle after the last write response so far
  sc_core::sc_event arbitration;
};

} // namespace daedalus::sim::systemc
