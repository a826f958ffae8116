// Results near zero and near the ends of int8 come from extreme operands; halves come from multipliers that
// are powers of two.
#include "cosim/random_data.h"

#include "cosim/random.h"

#include <cstring>

namespace daedalus::cosim {
namespace {

struct Parameter {
  uint32_t bias = 0, multiplier = 0;
  uint8_t shift = 0;
};

Parameter drawParameter(Random &random) {
  Parameter lane;
  const int64_t kind = random.between(0, 99);
  if (kind < 40) { // a scale of a real layer: results spread over int8
    lane.bias = static_cast<uint32_t>(random.between(-5000, 5000));
    lane.multiplier = static_cast<uint32_t>(random.between(1 << 30, INT32_MAX));
    lane.shift = static_cast<uint8_t>(random.between(30, 46));
  } else if (kind < 75) { // halves: x * 2^k / 2^(k + s)
    const int64_t power = random.between(0, 30);
    lane.bias = static_cast<uint32_t>(random.between(-300, 300));
    lane.multiplier = uint32_t(1 + 2 * random.chance(20)) << power;
    lane.shift = static_cast<uint8_t>(power + random.between(1, 9));
  } else { // anything, ends of the fields and ignored bits among it
    static const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x80000001};
    static const uint8_t shifts[] = {0, 1, 2, 31, 32, 33, 61, 62, 63, 64, 127, 191, 255};
    lane.bias = random.chance(50) ? ends[random.between(0, 5)] : static_cast<uint32_t>(random.bits());
    lane.multiplier = random.chance(50) ? ends[random.between(0, 5)] : static_cast<uint32_t>(random.bits());
    lane.shift = random.chance(50) ? shifts[random.between(0, 12)] : static_cast<uint8_t>(random.bits());
  }
  return lane;
}

} // namespace

void fillRandomly(Span<uint8_t> bytes, uint64_t seed) {
  static const uint8_t extremes[] = {0x80, 0x7f, 0x81, 0xff, 0, 1, 0x80, 0x7f};
  Random random(seed);
  bool extreme = false;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    if (i % 64 == 0)
      extreme = random.chance(25);
    uint64_t word = random.bits();
    if (extreme)
      for (unsigned shift = 0; shift < 64; shift += 8)
        word = (word & ~(uint64_t(0xff) << shift)) | uint64_t(extremes[word >> shift & 7]) << shift;
    std::memcpy(bytes.data() + i, &word, bytes.size() - i < 8 ? bytes.size() - i : 8);
  }
}

void fillParameters(Span<uint8_t> bytes, uint64_t seed) {
  Random random(~seed);
  for (size_t lane = 0; lane + 16 <= bytes.size(); lane += 16) {
    const Parameter drawn = drawParameter(random);
    uint8_t *at = bytes.data() + lane;
    std::memset(at, 0, 16);
    std::memcpy(at, &drawn.bias, 4);
    std::memcpy(at + 4, &drawn.multiplier, 4);
    at[8] = drawn.shift;
  }
}

} // namespace daedalus::cosim
