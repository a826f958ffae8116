// Token counters; a give and a take in t are seen in t + 1.
#include "clocked/tokens.h"

namespace daedalus::clocked {

std::optional<isa::Module> Tokens::firstMissing(isa::Module consumer, uint8_t wait) const {
  for (unsigned producer = 0; producer < Modules; ++producer)
    if (wait >> producer & 1 && counter[producer][code(consumer)] == 0)
      return static_cast<isa::Module>(producer);
  return std::nullopt;
}

void Tokens::take(isa::Module consumer, uint8_t wait) {
  for (unsigned producer = 0; producer < Modules; ++producer)
    change[producer][code(consumer)] -= wait >> producer & 1;
}

void Tokens::give(isa::Module producer, uint8_t signal, uint32_t index) {
  for (unsigned consumer = 0; consumer < Modules; ++consumer)
    change[code(producer)][consumer] += signal >> consumer & 1;
  endedIndex[code(producer)] = index;
}

void Tokens::commit(FaultRegister &faults) {
  for (unsigned producer = 0; producer < Modules; ++producer)
    for (unsigned consumer = 0; consumer < Modules; ++consumer) {
      int &value = counter[producer][consumer], &delta = change[producer][consumer];
      if (value + delta > int(isa::TokenCounterMax)) {
        faults.report({FaultCause::CounterOverflow, counterOf(static_cast<isa::Module>(producer)),
                       endedIndex[producer]});
        delta = 0;
      }
      value += delta;
      delta = 0;
    }
}

} // namespace daedalus::clocked
