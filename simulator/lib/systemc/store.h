// STORE: bursts from OUT to DRAM (R18 to R20). The write channel has no competitor, so every cycle of an
// instruction is known at its start. Results appear at the start, as in Compute.
#pragma once

#include "daedalus/isa/timing.h"
#include "systemc/bus.h"
#include "systemc/memory_unit.h"

namespace daedalus::sim::systemc {

class Store : public MemoryUnit {
public:
  SC_HAS_PROCESS(Store);
  Store(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus, MemoryModel &memory);

  void reset() override;
  /// R29: whatever is open is dropped behind `now`.
  void giveUp(Cycle now);

private:
  void step();
  void begin(Cycle now);
  void schedule(const isa::Store &store, Cycle now);
  void scheduleEmpty(Cycle now);
  void neverLeaves();
  void awaitGenerator();
  void execute(const isa::Store &store);
  bool reportFaulty(const isa::Store &store, const isa::StoreSegment &segment, Cycle shown);
  Cycle departure(Cycle shown);
  void complete(Cycle earliest);

  Bus &bus;
  MemoryModel &memory;
  bool dropped = false;    ///< a segment over its limit: the instruction never ends
  Cycle generatorFree = 0; ///< first cycle after the last segment's departure; may be Never
  Cycle completed = 0;     ///< first cycle after the last completion; may be Never
  std::deque<Cycle> open;  ///< completions of the segments that have left
};

} // namespace daedalus::sim::systemc
