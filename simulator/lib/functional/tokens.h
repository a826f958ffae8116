// The twelve token counters, taken and given in program order.
#pragma once

#include "daedalus/isa/instructions.h"

#include <array>
#include <optional>

namespace daedalus::sim::functional {

class Tokens {
public:
  /// Takes one token from each module of the mask for `consumer`; or names the first that has none.
  std::optional<isa::Module> take(isa::Module consumer, unsigned mask) {
    for (unsigned producer = 0; producer < isa::ModuleCount; ++producer)
      if ((mask >> producer & 1) && !count(producer, index(consumer)))
        return static_cast<isa::Module>(producer);
    for (unsigned producer = 0; producer < isa::ModuleCount; ++producer)
      count(producer, index(consumer)) -= mask >> producer & 1;
    return std::nullopt;
  }

  /// Gives one token to each module of the mask. False where a counter would overflow.
  bool give(isa::Module producer, unsigned mask) {
    for (unsigned consumer = 0; consumer < isa::ModuleCount; ++consumer) {
      if (!(mask >> consumer & 1))
        continue;
      if (count(index(producer), consumer) == isa::TokenCounterMax)
        return false;
      ++count(index(producer), consumer);
    }
    return true;
  }

private:
  static unsigned index(isa::Module module) { return static_cast<unsigned>(module); }
  unsigned &count(unsigned producer, unsigned consumer) {
    return counts[producer * isa::ModuleCount + consumer];
  }

  std::array<unsigned, isa::ModuleCount * isa::ModuleCount> counts{};
};

} // namespace daedalus::sim::functional
