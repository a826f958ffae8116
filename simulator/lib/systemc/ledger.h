// The class of one module in every cycle (R25) and the instruction it is for, kept as those from a cycle on;
// and LOAD's writer, whose cycles count as busy whatever the class is.
#pragma once

#include "common/device_base.h"
#include "common/span_writer.h"
#include "systemc/cycle.h"
#include "systemc/ring.h"

#include <algorithm>

namespace daedalus::sim::systemc {

class Ledger {
public:
  using Counts = std::array<uint64_t, isa::CounterClassCount>;

  explicit Ledger(isa::CounterModule module) : module(module) {}

  void reset(isa::CounterClass first, SpanSink *sink) {
    counts = {};
    busySpans.clear();
    from = 0;
    current = first;
    instruction = NoInstruction;
    spans.begin(sink, module);
  }

  /// From cycle `at` on the module is in `next`, for that instruction. Calls come in the order of cycles; the
  /// last of a cycle counts.
  void mark(Cycle at, isa::CounterClass next, uint32_t of = NoInstruction) {
    if (next == current && !spans.areKept())
      return; // charged with the cycles to come
    charge(at);
    current = next;
    instruction = of;
  }

  /// The cycles first to last count as busy; they come in order and begin after the cycle of the call.
  void markBusy(Cycle first, Cycle last, uint32_t of) {
    if (!busySpans.empty() && busySpans.back().last + 1 == first && busySpans.back().instruction == of)
      busySpans.back().last = last;
    else
      busySpans.push_back({first, last, of});
  }

  /// From cycle `at` on nothing is busy that was to be.
  void dropBusy(Cycle at) {
    charge(at);
    busySpans.clear();
  }

  /// The counts of the cycles before `stop`.
  const Counts &finish(Cycle stop) {
    charge(stop);
    spans.finish();
    return counts;
  }

private:
  struct Work {
    Cycle first, last;
    uint32_t instruction;
  };

  void charge(Cycle to) {
    while (!busySpans.empty() && busySpans.front().first < to) {
      Work &work = busySpans.front();
      const Cycle end = std::min(work.last + 1, to);
      if (spans.areKept())
        keep(work, end);
      count(current, work.first);
      count(isa::CounterClass::Busy, end);
      if (work.last >= to) {
        work.first = to;
        return;
      }
      busySpans.pop_front();
    }
    if (spans.areKept())
      spans.add(current, ofGap(), to);
    count(current, to);
  }

  [[gnu::noinline]] void keep(const Work &work, Cycle end) {
    spans.add(current, ofGap(), work.first);
    spans.add(isa::CounterClass::Busy, work.instruction, end);
  }

  /// While LOAD waits for data, they are of the instruction whose data are written next.
  uint32_t ofGap() const {
    const bool waitsForData = current == isa::CounterClass::Memory || current == isa::CounterClass::Bus;
    return waitsForData && !busySpans.empty() ? busySpans.front().instruction : instruction;
  }

  void count(isa::CounterClass what, Cycle end) {
    if (end <= from)
      return;
    counts[static_cast<unsigned>(what)] += end - from;
    from = end;
  }

  const isa::CounterModule module;
  Counts counts{};
  SpanWriter spans;
  Ring<Work> busySpans;
  Cycle from = 0; ///< cycles before it are counted
  isa::CounterClass current = isa::CounterClass::Idle;
  uint32_t instruction = NoInstruction; ///< that `current` is for
};

} // namespace daedalus::sim::systemc
