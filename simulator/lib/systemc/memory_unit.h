// What LOAD and STORE have in common: the next instruction starts while the segments of earlier ones are
// open, so several instructions are on their way to their ends, which come in order (R17, R20).
#pragma once

#include "systemc/unit.h"

namespace daedalus::sim::systemc {

class MemoryUnit : public Unit {
public:
  using Unit::Unit;
  void reset() override;

protected:
  /// The instruction, started in `start`, ends in cycle `end`, which may be Never: all its segments have
  /// left.
  void endAt(const Issued &issued, Cycle start, Cycle end);
  /// Retires the instruction that ends in `now`, if one does (R10).
  void retireDue(Cycle now);

  /// What would end behind `now` never ends (R29).
  void dropEndings(Cycle now);

  Issued current;
  Event ends;

private:
  void awaitEnd();

  struct Ending {
    isa::Instruction instruction;
    uint32_t index;
    Cycle start, end;
  };
  Ring<Ending> endings;
};

} // namespace daedalus::sim::systemc
