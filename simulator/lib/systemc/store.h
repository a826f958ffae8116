// STORE: bursts from OUT to DRAM (R18 to R20). The write channel has no competitor, so every cycle of an
// instruction is known at its start, unless the memory is ordered: then reads decide about responses, and
// segments leave and are answered one by one (store_in_order.cpp). Results appear at the start, as in
// Compute.
#pragma once

#include "daedalus/isa/timing.h"
#include "systemc/bus.h"
#include "systemc/memory_unit.h"

#include <optional>

namespace daedalus::sim::systemc {

class Store : public MemoryUnit {
public:
  Store(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, Bus &bus, MemoryModel &memory);

  void reset() override;
  /// R29: whatever is open is dropped behind `now`.
  void giveUp(Cycle now);
  /// Whether something is active or open whose end is not known yet.
  bool isUndecided() const { return generating || !unanswered.empty(); }

private:
  /// A segment that has left and does not know its completion.
  struct Unanswered {
    Cycle from; ///< in which the memory can be asked: the last beat's; of an empty one, in which it left
    isa::StoreSegment segment;
    bool isBurst, isLast; ///< of its instruction
  };
  struct Begun {
    Issued issued;
    Cycle start;
  };

  void step();
  void begin(Cycle now);
  void schedule(const isa::Store &store, Cycle now);
  void scheduleSteadily(const isa::Store &store, Cycle now);
  void scheduleEmpty(Cycle now);
  void neverLeaves();
  void awaitGenerator();
  void execute(const isa::Store &store);
  bool isSound(const isa::Store &store) const;
  bool reportFaulty(const isa::Store &store, const isa::StoreSegment &segment, Cycle shown);
  Cycle departure(Cycle shown);
  /// R20: segments complete in order, one a cycle.
  void complete(Cycle earliest) {
    const Cycle completion = std::max(earliest, completed);
    completed = behind(completion);
    open.push_back(completion);
  }
  void reportError(const isa::Store &store, const isa::StoreSegment &segment, uint32_t index, Cycle response);

  void beginInOrder(Cycle now);
  bool nextSegment(bool first);
  void showSegment(Cycle now);
  void leaveInOrder(Cycle now);
  void stopGenerating(Cycle now);
  void answer();
  void completeInOrder(const Unanswered &segment);

  Bus &bus;
  MemoryModel &memory;
  bool dropped = false;    ///< a segment over its limit: the instruction never ends
  Cycle generatorFree = 0; ///< first cycle after the last segment's departure; may be Never
  Cycle completed = 0;     ///< first cycle after the last completion; may be Never
  Ring<Cycle> open;        ///< completions of the segments that have left

  std::optional<isa::StoreSegments> segments; ///< of `current`; none of a MARK or NOP
  isa::StoreSegment segment;                  ///< that is shown
  bool generating = false;                    ///< a segment is shown, or will be
  bool fresh = false;                         ///< it was not shown before
  Cycle shown = 0;
  std::deque<Unanswered> unanswered;
  std::deque<Begun> begun; ///< whose last segment has no completion
  Event answers;
};

} // namespace daedalus::sim::systemc
