// The read or the write side of the bus as R29 sees it: the cycles in which the memory owes something, and
// those in which it does something. Both are told in advance, in the order of their cycles, and looked at
// when the side could have been silent for too long.
#pragma once

#include "common/fault.h"
#include "systemc/cycle.h"

#include <array>
#include <deque>

namespace daedalus::sim::systemc {

class BusSide {
public:
  void reset() { *this = BusSide(); }

  /// A burst of that instruction is open in the cycles `from` to `until`, which may be Never.
  void owes(Cycle from, Cycle until, isa::CounterModule module, uint32_t index) {
    debts.push_back({from, until, module, index});
    if (periods.empty() || (periods.back().last != Never && periods.back().last + 1 < from))
      periods.push_back({from, until});
    else
      periods.back().last = std::max(periods.back().last, until);
  }

  /// The memory's handshakes on one of the side's channels in the cycles `first` to `last`.
  void acts(unsigned channel, Cycle first, Cycle last) {
    auto &spans = handshakes[channel];
    if (!spans.empty() && spans.back().last + 1 == first)
      spans.back().last = last;
    else
      spans.push_back({first, last});
  }

  /// `now`, where the `patience` cycles before it were all silent; else the cycle to look again in, or Never.
  Cycle look(Cycle now, Cycle patience) {
    while (!periods.empty() && periods.front().last < now - 1)
      periods.pop_front();
    if (periods.empty())
      return Never;
    const Cycle from = periods.front().first;
    if (from >= now)
      return from + patience;
    const Cycle last = std::max(from - 1, lastHandshake(now));
    return last + patience + 1;
  }

  /// What is reported in cycle `now`: the oldest open burst.
  Fault timeout(Cycle now) {
    while (debts.front().until < now)
      debts.pop_front();
    Fault fault;
    fault.cause = isa::FaultCause::MemoryTimeout;
    fault.module = debts.front().module;
    fault.index = debts.front().index;
    return fault;
  }

private:
  struct Span {
    Cycle first, last;
  };
  struct Debt {
    Cycle from, until;
    isa::CounterModule module;
    uint32_t index;
  };

  /// The last one before `now`.
  Cycle lastHandshake(Cycle now) {
    for (auto &spans : handshakes) {
      for (; !spans.empty() && spans.front().last < now; spans.pop_front())
        latest = std::max(latest, spans.front().last);
      if (!spans.empty() && spans.front().first < now)
        latest = now - 1;
    }
    return latest;
  }

  std::deque<Debt> debts;
  std::deque<Span> periods; ///< of debt, with gaps between them
  std::array<std::deque<Span>, 3> handshakes;
  Cycle latest = 0; ///< handshake so far
};

} // namespace daedalus::sim::systemc
