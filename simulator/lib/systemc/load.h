// LOAD: an address generator that shows segments (R13, R14), the read channel's bursts, and a writer that
// takes segments in order (R16). Once a segment has left, the cycles of its writes are known, so the writer
// needs no process: only departures, grants and ends are events. Results appear at the start, as in Compute.
// Up to the next cycle in which any other process can act, segments leave one after the other without an
// event each.
#pragma once

#include "common/load_cost_lists.h"
#include "daedalus/isa/timing.h"
#include "systemc/bus.h"
#include "systemc/memory_unit.h"

namespace daedalus::sim::systemc {

class Load : public MemoryUnit, public Reader {
public:
  Load(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus, MemoryModel &memory);

  void reset() override;
  /// Whether the address generator is active.
  bool isGenerating() const { return generating; }

  void granted(Cycle now, const ReadBurst &burst) override;
  void denied(Cycle now) override;
  /// R29: whatever is open is dropped behind `now`.
  void giveUp(Cycle now);

private:
  /// A segment that has left: open until its last write (R15).
  struct OpenSegment {
    Cycle lastWrite; ///< may be Never
    uint64_t beats;  ///< that count in the receive buffer
  };

  /// What the writer gets of a segment: its first write can be in `from`, or Never; of a burst, so many beats
  /// come.
  struct Received {
    Cycle from;
    uint64_t beats = 0;
  };

  void step();
  void begin(Cycle now);
  void clearSegments();
  void beginSegments();
  void beginCosts(uint64_t baseAddress);
  bool hasCosts() const { return listed || costs; } ///< and no `segments`
  void execute();
  void showSegment(Cycle now);
  bool isSoundThroughout() const;
  void runAhead();
  template <class Costs> void runAheadSteadily(Costs &all, Cycle limit);
  void runAheadByCosts(Cycle limit);
  void markWritten(Cycle begin, Cycle end);
  void finish(Cycle now, Cycle last);
  Cycle showAlone(Cycle now);
  bool isSound() const;
  std::optional<Fault> faultOfSegment() const;
  bool dropIfFaulty(Cycle now);
  Cycle departure(Cycle now);
  void await(Cycle at);
  void leave(Cycle now, const Received &received);
  bool depart(Cycle now, const Received &received);
  Cycle write(const Received &received);
  Received receivedOf(const ReadBurst &burst) const;
  bool nextSegment(bool first);
  bool nextCost();
  void show(const LoadCost &next, uint64_t address);
  uint64_t writeCycles() const;
  void markClass(Cycle now);

  Bus &bus;
  MemoryModel &memory;
  const isa::Load *load = nullptr;           ///< `current`'s, or null for mark and nop
  bool soundThroughout = false;              ///< none of its segments has a fault
  std::optional<isa::LoadSegments> segments; ///< of `load`
  std::optional<ListedCosts> listed;         ///< instead, of a sound one before a memory of constant latency
  std::optional<LoadCosts> costs;            ///< instead of these, of one that has no list
  isa::LoadSegment segment; ///< the one that is shown; of a load with costs, its kind, address and beats
  LoadCost cost;            ///< of it, where the load has costs
  bool generating = false;
  bool fresh = false; ///< the segment is shown for the first time
  Cycle started = 0, shown = 0;
  Cycle writerFree = 0; ///< first cycle after the last write so far
  Ring<OpenSegment> open;
  LoadCostLists lists;
  uint64_t openBeats = 0;
  Event shows;
};

} // namespace daedalus::sim::systemc
