// The instructions that FETCH has dispatched to one module. A push or a pop of a cycle is seen from the next
// on (R2), by both sides.
#pragma once

#include "systemc/ring.h"
#include "systemc/run.h"

namespace daedalus::sim::systemc {

class Queue {
public:
  void reset() {
    instructions.clear();
    popped = Never;
  }

  void push(const isa::Instruction &instruction, uint32_t index, Cycle now) {
    instructions.push_back({instruction, index, now, isa::waitMask(instruction)});
  }

  /// Instructions in the queue as cycle `now` sees them; FETCH pushes after it has looked.
  size_t count(Cycle now) const { return instructions.size() + (popped == now); }

  /// The head, or null while none is seen.
  const Issued *head(Cycle now) const {
    return instructions.empty() || instructions.front().pushed >= now ? nullptr : &instructions.front();
  }

  Issued pop(Cycle now) {
    Issued issued = instructions.front();
    instructions.pop_front();
    popped = now;
    return issued;
  }

private:
  Ring<Issued> instructions;
  Cycle popped = Never; ///< cycle of the last pop; at most one a cycle
};

} // namespace daedalus::sim::systemc
