// Two processes: one that runs the calendar, and one that pauses the kernel at the time it got to.
#include "systemc/quantum.h"

namespace daedalus::sim::systemc {

Quantum::Quantum(sc_core::sc_module_name name, Calendar &calendar) : sc_module(name), calendar(calendar) {
  SC_METHOD(runAhead);
  sensitive << begins;
  dont_initialize();
  SC_METHOD(arrive);
  sensitive << arrives;
  dont_initialize();
}

void Quantum::start() {
  calendar.start();
  synchronised = 0;
}

void Quantum::advance(Cycle cycles) {
  const Cycle now = calendar.now();
  last = cycles > Never / 2 - now ? Never : now + cycles;
  begins.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
}

void Quantum::runAhead() {
  calendar.runTo(last);
  arrives.notify(sc_core::sc_time::from_value(calendar.now() - synchronised));
}

void Quantum::arrive() {
  synchronised = calendar.now();
  sc_core::sc_pause();
}

} // namespace daedalus::sim::systemc
