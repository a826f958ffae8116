// Fronts: against the definition on random points, and which points are compared.
#include "Explore/Front.h"

#include "Report/Area/MachineArea.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::explore {
namespace {

PointResult pointOf(uint64_t index, const std::string &machine, uint64_t cycles, uint64_t bytes,
                    uint64_t hostLayers = 0) {
  return {index, machine, "", {{Cost{cycles, 1, bytes, 1, hostLayers}, ""}}};
}

TEST(Front, NoOtherPointIsBetter) {
  std::mt19937 random(3);
  std::vector<PointResult> points;
  for (uint64_t i = 0; i < 200; ++i)
    points.push_back(pointOf(i, "default", 1 + random() % 40, 1 + random() % 40));
  const auto objectives = objectivesOf("cycles,dram_bytes");
  ASSERT_TRUE(objectives) << objectives.error();
  for (const Ranked &one : ranked(points, *objectives)) {
    bool isBeaten = false;
    for (const PointResult &other : points) {
      const Cost &a = *other.networks[0].cost, &b = *one.point.networks[0].cost;
      isBeaten = isBeaten || (a.cycles <= b.cycles && a.dramBytes <= b.dramBytes &&
                              (a.cycles < b.cycles || a.dramBytes < b.dramBytes));
    }
    EXPECT_EQ(one.isOnFront, !isBeaten) << one.point.index;
  }
}

TEST(Front, ComparesOnlyWhatComputesTheSame) {
  const std::vector<PointResult> points = {pointOf(0, "default", 100, 1),
                                           pointOf(1, "default", 10, 1, 3),
                                           {2, "default,n=17", "no such machine", {}},
                                           {3, "default", "", {{std::nullopt, "does not fit"}}}};
  const std::vector<Ranked> all = ranked(points, *objectivesOf("cycles"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].point.index, 0u);
  EXPECT_NEAR(all[0].values[0], 100, 1e-9);
}

TEST(Front, ObjectivesOfMachines) {
  const std::vector<PointResult> points = {pointOf(0, "tiny,clock_mhz=500", 1000, 7)};
  const auto objectives = objectivesOf("microseconds,multipliers,scratchpad_bits,bus_bytes,area,gates");
  const std::vector<Ranked> all = ranked(points, *objectives);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].values[0], 2, 1e-9);
  EXPECT_EQ(all[0].values[1], 64);
  EXPECT_EQ(all[0].values[2], double(scratchpadBits(*isa::loadMachine("tiny"))));
  EXPECT_EQ(all[0].values[3], 8);
  EXPECT_GT(all[0].values[4], 0.1);
  const report::MachineArea area = report::areaOf(*isa::loadMachine("tiny"), report::defaultAreaTable());
  EXPECT_EQ(all[0].values[5], area.gates);
}

TEST(Front, UnknownObjectives) {
  EXPECT_EQ(
      objectivesOf("cycles,speed").error(),
      "the objective 'speed' is unknown; expected one or more of cycles, microseconds, dram_bytes, energy, "
      "multipliers, scratchpad_bits, gates, area, bus_bytes");
  EXPECT_FALSE(objectivesOf(""));
}

} // namespace
} // namespace daedalus::explore
