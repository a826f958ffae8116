// What concerns all modules: the first fault and the stop behind it (R21 to R23), the watchdog (R24), and
// whether anything moves (R8, R24).
//
// Most activities have a known last cycle when they begin, so "nothing moves" is one number, the first cycle
// after all of them; only LOAD's address generator ends at a time that the read arbiter decides, and STORE at
// one that an ordered memory does.
#pragma once

#include "systemc/run.h"

#include <functional>
#include <systemc>

namespace daedalus::sim::systemc {

class Core : public sc_core::sc_module {
public:
  Core(sc_core::sc_module_name name, Run &run);

  /// `isUndecided` says whether something is active whose end is not known; `waits` describes who waits for
  /// whom and gives the instruction that is first in program order.
  void connect(std::function<bool()> isUndecided, std::function<Fault()> waits);
  void reset();

  /// A fault of cycle `at`, which may lie in the future. The first one is kept (R21).
  void report(Cycle at, const Fault &fault);
  /// Whether cycle `now` sees a fault: reported in t, set from t + 1.
  bool isFaultSet(Cycle now) const { return faultCycle < now; }

  /// GEMM or VECTOR works up to and including `last`.
  void computesUntil(Cycle last) { computed = std::max(computed, last + 1); }
  /// Something is open on the bus or in LOAD or STORE up to and including `last`, which may be Never.
  void transfersUntil(Cycle last) { transferred = std::max(transferred, behind(last)); }
  /// Nothing is any more from the next cycle on (R29).
  void giveUpTransfers(Cycle now);
  /// The first cycle in which, as far as is known, nothing moves; Never, while the memory is silent.
  Cycle quietSince() const { return std::max(computed, transferred); }
  /// Whether nothing moves in cycle `now`: no module works, no segment is open, no read burst is outstanding.
  bool isQuiet(Cycle now) const { return quietSince() <= now && !isUndecided(); }

  /// An instruction retired.
  void retire(uint32_t index, isa::CounterModule module, Cycle start, Cycle end);
  bool isStopped() const { return stopped; }
  /// Ends the run in this cycle.
  void stop(Cycle now);

private:
  /// With its sentence.
  void recordFault();
  void watch();
  void halt();

  Run &run;
  std::function<bool()> isUndecided;
  std::function<Fault()> waits;
  bool stopped = false;
  Cycle computed = 0, transferred = 0; ///< the first cycles in which no more is
  Cycle faultCycle = Never;            ///< in which the kept fault is reported
  Fault fault;
  Event watchdog, halting;
};

} // namespace daedalus::sim::systemc
