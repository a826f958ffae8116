// The class of one module in every cycle (R25), kept as the class from a cycle on; and LOAD's writer, whose
// cycles count as busy whatever the class is.
#pragma once

#include "common/device_base.h"
#include "systemc/clock.h"

#include <algorithm>
#include <deque>

namespace daedalus::sim::systemc {

class Ledger {
public:
  using Counts = std::array<uint64_t, isa::CounterClassCount>;

  void reset(isa::CounterClass first) {
    counts = {};
    busySpans.clear();
    from = 0;
    current = first;
  }

  /// From cycle `at` on the module is in `next`. Calls come in the order of cycles; the last of a cycle
  /// counts.
  void mark(Cycle at, isa::CounterClass next) {
    charge(at);
    current = next;
  }

  /// The cycles first to last count as busy; spans come in order and begin after the cycle of the call.
  void markBusy(Cycle first, Cycle last) {
    if (!busySpans.empty() && busySpans.back().last + 1 == first)
      busySpans.back().last = last;
    else
      busySpans.push_back({first, last});
  }

  /// The counts of the cycles before `stop`.
  const Counts &finish(Cycle stop) {
    charge(stop);
    return counts;
  }

private:
  struct SpanOfCycles {
    Cycle first, last;
  };

  void charge(Cycle to) {
    while (!busySpans.empty() && busySpans.front().first < to) {
      SpanOfCycles &span = busySpans.front();
      add(current, span.first > from ? span.first - from : 0);
      from = std::max(from, span.first);
      const Cycle end = std::min(span.last + 1, to);
      add(isa::CounterClass::Busy, end - from);
      from = end;
      if (span.last >= to) {
        span.first = to;
        return;
      }
      busySpans.pop_front();
    }
    add(current, to > from ? to - from : 0);
    from = std::max(from, to);
  }

  void add(isa::CounterClass what, uint64_t cycles) { counts[static_cast<unsigned>(what)] += cycles; }

  Counts counts{};
  std::deque<SpanOfCycles> busySpans;
  Cycle from = 0; ///< cycles before it are counted
  isa::CounterClass current = isa::CounterClass::Idle;
};

} // namespace daedalus::sim::systemc
