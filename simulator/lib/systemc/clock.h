// Cycles on SystemC's time axis: one cycle is one unit of its resolution. SystemC's time only grows, so a
// run counts its cycles from the time of its START (R1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>

namespace daedalus::sim::systemc {

using Cycle = uint64_t;
constexpr Cycle Never = ~Cycle(0);
/// The cycle behind one that may be Never.
constexpr Cycle behind(Cycle at) {
  return at == Never ? Never : at + 1;
}

class Clock {
public:
  /// Makes the present time cycle 0.
  void start() { origin = sc_core::sc_time_stamp().value(); }
  Cycle now() const { return sc_core::sc_time_stamp().value() - origin; }
  /// Triggers the event in cycle `at`, which lies in the future. Of two notifications of one event the
  /// earlier stays.
  void notifyAt(sc_core::sc_event &event, Cycle at) const {
    event.notify(sc_core::sc_time::from_value(at - now()));
  }

  /// The run goes on to this cycle at least, and may be looked at there.
  void runTo(Cycle at) { horizon = at; }
  /// The first cycle in which another process may act: nothing happens in those before but what the caller
  /// does.
  Cycle nextActivity() const {
    const uint64_t ahead = sc_core::sc_time_to_pending_activity().value();
    return ahead > Never - now() ? horizon : std::min(now() + ahead, horizon);
  }

private:
  Cycle horizon = Never;
  uint64_t origin = 0;
};

} // namespace daedalus::sim::systemc
