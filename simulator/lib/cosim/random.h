// splitmix64: small, and the same everywhere (the standard's distributions are not).
#pragma once

#include <cstdint>

namespace daedalus::cosim {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From `least` to `most`, both included.
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(bits() % static_cast<uint64_t>(most - least + 1));
  }
  bool chance(unsigned percent) { return bits() % 100 < percent; }
  /// The code of one of the bits of a mask.
  unsigned oneOf(uint32_t mask) {
    unsigned skip = static_cast<unsigned>(bits() % static_cast<unsigned>(__builtin_popcount(mask)));
    for (; skip; --skip)
      mask &= mask - 1;
    return static_cast<unsigned>(__builtin_ctz(mask));
  }

private:
  uint64_t state;
};

} // namespace daedalus::cosim
