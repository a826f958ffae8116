// The modules, wired up. SystemC elaborates once in a process, so there is one platform: it is built at its
// first use and set up anew for each run, whatever the machine. Devices of all threads take turns on it.
#pragma once

#include "systemc/compute.h"
#include "systemc/fetch.h"
#include "systemc/gemm.h"
#include "systemc/load.h"
#include "systemc/quantum.h"
#include "systemc/store.h"
#include "systemc/vector.h"

#include <mutex>

namespace daedalus::sim::systemc {

class Platform {
public:
  /// The process's platform, for one thread at a time.
  class Turn {
  public:
    Turn();
    Platform *operator->() const { return &platform; }

  private:
    const std::lock_guard<std::mutex> lock;
    Platform &platform;
  };

  /// START. A run in progress is forgotten.
  void start(const Job &job);
  /// Whether the run in progress, or the last one, fills this record.
  bool runs(const RunRecord &record) const { return run.record == &record; }
  /// Runs so many cycles further, or to the stop, where it fills the record. Whether it stopped.
  bool advance(Cycle cycles);
  /// The first cycle of the run in which anything can happen; Never: nothing will.
  Cycle nextEvent() const { return run.clock.nextDue(); }
  /// Accesses of another master to the memory (S9, S10), in the cycle behind those that have run: the cycle
  /// of the beat, and of the response.
  HostRead readAsHost(Cycle at, uint64_t address) { return bus.readAsHost(at, address); }
  Cycle writeAsHost(Cycle at, uint64_t address) { return at + memory.hostWriteLatency(at, address); }

private:
  Platform();
  static std::mutex &mutex();
  static Platform &instance();
  void reset();
  void collectCounters();
  /// R29: the memory was silent for too long in cycle `now`.
  void giveUpMemory(Cycle now);
  /// R24: nothing moves; who waits for whom.
  Fault describeWaits() const;

  Run run;
  Quantum quantum;
  Core core;
  Tokens tokens;
  MemoryModel memory;
  Bus bus;
  Fetch fetch;
  Load load;
  Gemm gemm;
  Vector vector;
  Store store;
  const std::array<Unit *, isa::ModuleCount> units;
};

} // namespace daedalus::sim::systemc
