// STORE: bursts from OUT to DRAM (R18 to R20). The write channel has no competitor, so every cycle of an
// instruction is known at its start. Results appear at the start, as in Compute.
#pragma once

#include "daedalus/isa/timing.h"
#include "systemc/bus.h"
#include "systemc/unit.h"

namespace daedalus::sim::systemc {

class Store : public Unit {
public:
  SC_HAS_PROCESS(Store);
  Store(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus, MemoryModel &memory);

  void reset() override;

private:
  /// An instruction with the cycle in which its last segment completes.
  struct Ending {
    isa::Instruction instruction;
    uint32_t index;
    Cycle start, end;
  };

  void step();
  void retireDue(Cycle now);
  void begin(Cycle now);
  void schedule(const isa::Store &store, Cycle now);
  void scheduleEmpty(Cycle now);
  void execute(const isa::Store &store);
  bool reportFaulty(const isa::Store &store, const isa::StoreSegment &segment, Cycle shown);
  Cycle departure(Cycle shown);
  void complete(Cycle earliest);

  Bus &bus;
  MemoryModel &memory;
  Issued current;
  bool dropped = false;    ///< a segment over its limit: the instruction never ends
  Cycle generatorFree = 0; ///< first cycle after the last segment's departure
  Cycle completed = 0;     ///< first cycle after the last completion
  std::deque<Cycle> open;  ///< completions of the segments that have left
  std::deque<Ending> endings;
  sc_core::sc_event ends;
};

} // namespace daedalus::sim::systemc
