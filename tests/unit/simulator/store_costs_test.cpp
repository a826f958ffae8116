// The beats and the bounds of a store's bursts against the bursts themselves, one by one.
#include "common/store_costs.h"
#include "daedalus/isa/timing.h"
#include "support/device_harness.h"

#include <random>

namespace daedalus::testing {
namespace {

isa::Store randomStore(std::mt19937 &random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  isa::Store store;
  store.offset = static_cast<uint32_t>(between(0, 3000));
  store.src = static_cast<uint16_t>(between(0, 100));
  store.runBytes = static_cast<uint16_t>(between(0, 3) ? between(1, 100) : between(1, 2000));
  for (isa::StoreLoop &loop : store.loops)
    loop = {static_cast<uint16_t>(between(1, 5)), between(-150, 150), static_cast<int16_t>(between(-9, 9))};
  return store;
}

void compare(const isa::Store &store, const isa::Machine &machine, uint64_t base) {
  const sim::StoreBounds bounds = sim::boundsOf(store, machine);
  isa::StoreSegments segments(store, machine, base);
  sim::StoreCosts costs(store, machine, base);
  int64_t begin = INT64_MAX, end = INT64_MIN, rowBegin = INT64_MAX, rowEnd = INT64_MIN;
  for (isa::StoreSegment segment; segments.next(segment);) {
    ASSERT_EQ(costs.next(), segment.beats);
    begin = std::min(begin, segment.offset);
    end = std::max(end, segment.offset + segment.bytes);
    rowBegin = std::min(rowBegin, segment.src / machine.n - (segment.src % machine.n < 0));
    rowEnd = std::max(rowEnd, (segment.src + segment.bytes - 1) / int64_t(machine.n) + 1);
  }
  ASSERT_EQ(costs.next(), 0u);
  ASSERT_EQ(costs.next(), 0u);
  ASSERT_EQ(bounds.dramBegin, begin);
  ASSERT_EQ(bounds.dramEnd, end);
  ASSERT_EQ(bounds.rowBegin, rowBegin);
  if (rowEnd > 0)
    ASSERT_EQ(bounds.rowEnd, rowEnd);
}

TEST(StoreCosts, AreThoseOfTheBursts) {
  std::mt19937 random(5);
  for (const std::string &name : isa::builtinMachines()) {
    const isa::Machine machine = builtin(name);
    for (unsigned i = 0; i < 5000; ++i) {
      SCOPED_TRACE(name + ", store " + std::to_string(i));
      ASSERT_NO_FATAL_FAILURE(compare(randomStore(random), machine, (uint64_t(1) << 33) + random() % 5000));
    }
  }
}

} // namespace
} // namespace daedalus::testing
