// The modules, wired up. SystemC elaborates once in a process, so there is one platform: it is built at its
// first use and set up anew for each run, whatever the machine.
#pragma once

#include "systemc/compute.h"
#include "systemc/fetch.h"
#include "systemc/gemm.h"
#include "systemc/load.h"
#include "systemc/store.h"
#include "systemc/vector.h"

namespace daedalus::sim::systemc {

class Platform {
public:
  /// The process's platform.
  static Platform &instance();

  /// START: everything in `job` but its clock counts. A run in progress is forgotten.
  void start(const Run &job);
  /// Runs so many cycles further, or to the stop, where it fills the record. Whether it stopped.
  bool advance(Cycle cycles);

private:
  Platform();
  void reset();
  void collectCounters();
  /// R24: nothing moves; who waits for whom.
  Fault describeWaits() const;

  Run run;
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
