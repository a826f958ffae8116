// The costs of a load's segments against the segments themselves, one by one, on machines of several widths.
#include "common/load_cost_lists.h"
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
          ASSERT_EQ(costs.address(), segment.address);
        ++(isBurst ? bursts : fills);
      }
      ASSERT_FALSE(costs.next(cost));
    }
  }
  EXPECT_GT(bursts, 10000u);
  EXPECT_GT(fills, 10000u);
}

/// The costs that a list has, in the order of LoadCosts; false where they differ.
bool areEqual(sim::ListedCosts listed, sim::LoadCosts costs) {
  sim::LoadCost one, other;
  while (costs.next(one))
    if (!listed.next(other) || one.beats != other.beats || one.writes != other.writes ||
        (one.beats && costs.address() != listed.address()))
      return false;
  return !listed.next(other);
}

/// Loads of all machines in turn by one set of lists, some of them again at other places.
TEST(LoadCostLists, HaveTheCostsOfEachLoad) {
  std::mt19937 random(12);
  const std::vector<std::string> names = isa::builtinMachines();
  sim::LoadCostLists lists;
  unsigned listed = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const isa::Machine machine = builtin(names[random() % names.size()]);
    isa::Load load = randomLoad(random, static_cast<uint16_t>(between(random, 1, 100)), false);
    for (unsigned place = 0; place < 3; ++place) {
      const uint64_t base = (uint64_t(1) << 33) + random() % 5000;
      if (const auto costs = lists.find(load, machine, base)) {
        ASSERT_TRUE(areEqual(*costs, {load, machine, base})) << machine.name << ", load " << i;
        ++listed;
      }
      load.offset += 4096 * (random() % 9);
      load.dst += machine.n * machine.busBytes * (random() % 9);
    }
  }
  EXPECT_GT(listed, 20000u);
}

} // namespace
} // namespace daedalus::testing
