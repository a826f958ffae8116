// FETCH: reads the program in bursts (R4), holds one instruction in its head register (R5), dispatches it to
// its module's queue (R6) and ends the program at FINISH (R8).
#pragma once

#include "systemc/bus.h"
#include "systemc/ledger.h"

#include <optional>

namespace daedalus::sim::systemc {

class Unit;

class Fetch : public sc_core::sc_module, public Reader {
public:
  Fetch(sc_core::sc_module_name name, Run &run, Core &core, Bus &bus, MemoryModel &memory);

  void connect(const std::array<Unit *, isa::ModuleCount> &units) { this->units = units; }
  void reset();
  /// That module starts an instruction in cycle `now`, and has room in its queue from the next on (R7). It
  /// matters while the head waits for that room, or is FINISH; a head that is yet to come looks itself.
  void started(isa::Module module, Cycle now) {
    if (headArrival() <= now && (!head || isFinishInHead() || isa::moduleOf(*head) == module))
      wakeAt(now + 1);
  }
  /// An instruction ends in cycle `now`: only FINISH waits for it.
  void retired(Cycle now) {
    if (headArrival() <= now && (!head || isFinishInHead()))
      wakeAt(now + 1);
  }
  const Ledger::Counts &counts(Cycle stop) { return ledger.finish(stop); }
  /// The module whose full queue holds up the head, if one does.
  std::optional<isa::Module> blockedBy(Cycle now) const;

  void granted(Cycle now, const ReadBurst &burst) override;
  void denied(Cycle now) override;
  /// R29: no beat comes behind `now`.
  void giveUp(Cycle now);

private:
  /// An instruction on its way: in DRAM until its last beat, then in the buffer.
  struct Arrival {
    uint32_t index;
    Cycle lastBeat;
  };

  void step();
  void wakeAt(Cycle at) { run.clock.notifyAt(wake, at); }
  void decodeHead(Cycle now);
  bool dispatchHead(Cycle now);
  void reportMissingFinish(Cycle at);
  void reportBeyondLimit(Cycle now);
  void finishIfQuiet(Cycle now);
  bool wantsBurst(Cycle now) const;
  bool isBeyondLimit() const;
  uint32_t burstInstructions() const;
  uint64_t addressOf(uint32_t index) const;
  /// First cycle in which the next instruction is in the head register, as far as is known (R5).
  Cycle headArrival() const {
    return arrivals.empty() ? Never : std::max(arrivals.front().lastBeat + 3, dispatchFree);
  }
  bool isFinishInHead() const { return head && std::holds_alternative<isa::Finish>(*head); }

  Run &run;
  Core &core;
  Bus &bus;
  MemoryModel &memory;
  std::array<Unit *, isa::ModuleCount> units{};
  Ledger ledger{isa::CounterModule::Fetch};
  Ring<Arrival> arrivals;               ///< granted and not dispatched; the first is the head
  std::optional<isa::Instruction> head; ///< decoded, from its arrival on
  bool headIsIllegal = false;
  bool hasFailed = false; ///< a beat came with an error
  bool heldHead = false;  ///< in the cycle of the last step
  Cycle headSince = 0;
  Cycle dispatchFree = 0;  ///< first cycle after the last dispatch
  uint32_t dispatched = 0; ///< instructions
  uint32_t nextToAsk = 0;  ///< first instruction that no burst has been granted for
  uint32_t reserved = 0;   ///< instructions granted and not dispatched
  Event wake;
};

} // namespace daedalus::sim::systemc
