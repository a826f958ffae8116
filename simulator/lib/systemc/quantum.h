// How the calendar and SystemC's time belong together. The platform is temporally decoupled, as the loosely
// timed models of TLM-2.0 are (IEEE 1666-2011, 12.2): within one call of advance() nobody outside can act, so
// its processes run ahead of SystemC's time, without the kernel, and the time follows at the end.
#pragma once

#include "systemc/calendar.h"

#include <systemc>

namespace daedalus::sim::systemc {

class Quantum : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(Quantum);
  Quantum(sc_core::sc_module_name name, Calendar &calendar);

  /// Makes the present time cycle 0.
  void start();
  /// Runs so many cycles further, or to the stop.
  void advance(Cycle cycles);

private:
  void runAhead();
  void arrive();

  Calendar &calendar;
  Cycle synchronised = 0; ///< the cycle of SystemC's time
  Cycle last = 0;         ///< of the call of advance()
  sc_core::sc_event begins, arrives;
};

} // namespace daedalus::sim::systemc
