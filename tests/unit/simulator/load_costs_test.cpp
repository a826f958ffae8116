// The costs of a load's segments against the segments themselves, one by one, on machines of several widths.
#include "common/load_costs.h"
#include "daedalus/isa/timing.h"
#include "random_load.h"
#include "support/device_harness.h"

#include <random>

namespace daedalus::testing {
namespace {

TEST(LoadCosts, AreThoseOfTheSegments) {
  std::mt19937 random(11);
  unsigned bursts = 0, fills = 0;
  for (const std::string &name : isa::builtinMachines()) {
    const isa::Machine machine = builtin(name);
    for (unsigned i = 0; i < 5000; ++i) {
      const int runBytes = between(random, 0, 3) ? between(random, 1, 100) : between(random, 1, 2000);
      const isa::Load load = randomLoad(random, static_cast<uint16_t>(runBytes), runBytes <= int(machine.n));
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
