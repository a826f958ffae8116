// Seeded random machines for the timing comparison: every parameter that a timing rule names varies, with the
// corner values (queues of one, one segment open, a receive buffer of one burst) often.
#pragma once

#include "daedalus/isa/machine.h"

#include <random>

namespace daedalus::timing {

/// The same numbers on every host, which the distributions of <random> do not promise.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(engine() % bound); }
  /// Both ends included.
  int32_t between(int32_t low, int32_t high) { return low + static_cast<int32_t>(below(high - low + 1)); }
  bool percent(uint32_t chance) { return below(100) < chance; }

private:
  std::mt19937_64 engine;
};

/// A machine that satisfies isa.yaml.
isa::Machine randomMachine(Random &random);

/// The parameters that differ from their defaults, for messages.
std::string describe(const isa::Machine &machine);

} // namespace daedalus::timing
