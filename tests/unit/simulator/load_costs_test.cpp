// The costs of a load's segments against the segments themselves, one by one, on machines of several widths.
#include "common/load_costs.h"
#include "daedalus/isa/timing.h"
#include "support/device_harness.h"

#include <random>

namespace daedalus::testing {
namespace {

isa::Load randomLoad(std::mt19937 &random, uint32_t n) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  isa::Load load;
  load.offset = static_cast<uint32_t>(between(0, 3000));
  load.dst = static_cast<uint32_t>(between(0, 3000));
  load.runBytes = static_cast<uint16_t>(between(0, 3) ? between(1, 100) : between(1, 2000));
  load.unbounded = between(0, 2) == 0;
  load.diagonal = load.runBytes <= n && between(0, 4) == 0;
  load.originY = static_cast<int16_t>(between(-6, 6));
  load.originX = static_cast<int16_t>(between(-300, 300));
  load.extentY = static_cast<uint16_t>(between(0, 8));
  load.extentX = static_cast<uint16_t>(between(0, 300));
  for (isa::LoadLoop &loop : load.loops)
    loop = {static_cast<uint16_t>(between(1, 5)), between(-150, 150), between(-150, 150)};
  return load;
}

TEST(LoadCosts, AreThoseOfTheSegments) {
  std::mt19937 random(11);
  unsigned bursts = 0, fills = 0;
  for (const std::string &name : isa::builtinMachines()) {
    const isa::Machine machine = builtin(name);
    for (unsigned i = 0; i < 5000; ++i) {
      const isa::Load load = randomLoad(random, machine.n);
      const uint64_t base = (uint64_t(1) << 33) + random() % 5000;
      SCOPED_TRACE(name + ", load " + std::to_string(i));
      isa::LoadSegments segments(load, machine, base);
      sim::LoadCosts costs(load, machine, base);
      isa::LoadSegment segment;
      sim::LoadCost cost;
      while (segments.next(segment)) {
        const bool isBurst = segment.kind == isa::LoadSegment::Kind::Burst;
        ASSERT_TRUE(costs.next(cost));
        ASSERT_EQ(cost.beats, isBurst ? segment.beats : 0);
        ASSERT_EQ(cost.writes, isa::loadWriteCycles(load, segment, machine));
        if (isBurst)
          ASSERT_EQ(cost.address, segment.address);
        ++(isBurst ? bursts : fills);
      }
      ASSERT_FALSE(costs.next(cost));
    }
  }
  EXPECT_GT(bursts, 10000u);
  EXPECT_GT(fills, 10000u);
}

} // namespace
} // namespace daedalus::testing
