// A fault as every engine reports it: what FAULT_CAUSE, FAULT_INDEX and FAULT_MODULE say, and a sentence
// for people.
#pragma once

#include "daedalus/isa/instructions.h"

#include <cstdint>
#include <string>

namespace daedalus::sim {

struct Fault {
  isa::FaultCause cause = isa::FaultCause::None;
  uint32_t index = 0; ///< of the faulting instruction in the program
  isa::CounterModule module = isa::CounterModule::Fetch;
  std::string detail; ///< one sentence with the values found and expected
};

/// Of a counter_overflow: an instruction with this signal mask gives the token that is one too many.
std::string overflowSentence(unsigned signalMask);

/// The module as the counters and FAULT_MODULE count it: FETCH comes before the modules with tokens.
inline isa::CounterModule counterModule(isa::Module module) {
  return static_cast<isa::CounterModule>(static_cast<unsigned>(module) + 1);
}

} // namespace daedalus::sim
