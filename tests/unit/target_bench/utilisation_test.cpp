// Parts of the array's products, which never exceed what the cycles have room for.

#include "sides.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::cli {
namespace {

isa::Machine machine() {
  return *isa::loadMachine("default"); // 16 x 16
}

runtime::RunResult run(const std::vector<std::pair<uint64_t, uint64_t>> &cyclesAndMacs,
                       const std::string &target = "accelerator") {
  runtime::RunResult result;
  for (const auto &[cycles, macs] : cyclesAndMacs) {
    result.layers.push_back(layer(static_cast<uint32_t>(result.layers.size()), "n", target, cycles, macs));
    result.cycles += cycles;
  }
  return result;
}

TEST(Utilisation, IsOfTheProductsThatTheCyclesHaveRoomFor) {
  const isa::Machine m = machine();
  const auto uses = usesOf(run({{100, 12800}, {50, 0}, {10, 2560}}), &m);
  EXPECT_DOUBLE_EQ(*uses[0].part, 0.5);
  EXPECT_EQ(*uses[1].part, 0);
  EXPECT_DOUBLE_EQ(*uses[2].part, 1);
  EXPECT_EQ(textOf(uses[0]), "50.0%");
  EXPECT_EQ(textOf(uses[1]), "-");
  EXPECT_EQ(overlapNote(uses), "");
}

TEST(Utilisation, IsCountedWithTheNextLayerWhoseWorkOverlaps) {
  const isa::Machine m = machine();
  const auto uses = usesOf(run({{100, 2560}, {10, 12800}}), &m);
  EXPECT_FALSE(uses[0].part);
  EXPECT_EQ(*uses[0].countedWith, 1u);
  EXPECT_DOUBLE_EQ(*uses[1].part, 15360 / (110 * 256.0));
  EXPECT_EQ(textOf(uses[0]), "(below)");
  EXPECT_NE(overlapNote(uses), "");
}

TEST(Utilisation, IsCountedTogetherWithLayersThatMultiplyNothing) {
  const isa::Machine m = machine();
  const auto uses = usesOf(run({{10, 2560}, {90, 0}, {10, 25600}}), &m);
  EXPECT_DOUBLE_EQ(*uses[0].part, 1);
  EXPECT_EQ(*uses[1].countedWith, 2u);
  EXPECT_DOUBLE_EQ(*uses[2].part, 1);
}

TEST(Utilisation, IsNothingWithoutAMachineOrCycles) {
  const isa::Machine m = machine();
  EXPECT_FALSE(usesOf(run({{100, 2560}}), nullptr)[0].part);
  EXPECT_FALSE(usesOf(run({{0, 2560}}), &m)[0].part);
  EXPECT_FALSE(usesOf(run({{100, 2560}}, "cpu"), &m)[0].part);
}

TEST(Utilisation, IsNeverAboveAll) {
  const isa::Machine m = machine();
  std::mt19937 random(1);
  for (int model = 0; model < 2000; ++model) {
    std::vector<std::pair<uint64_t, uint64_t>> layers(1 + random() % 6);
    for (auto &[cycles, macs] : layers) {
      cycles = random() % 4 ? random() % 100 : 0;
      macs = random() % 3 ? random() % (random() % 2 ? 25600 : 51200) : 0;
    }
    const runtime::RunResult result = run(layers);
    const auto uses = usesOf(result, &m);
    for (size_t i = 0; i < uses.size(); ++i) {
      EXPECT_GE(uses[i].part.value_or(0), 0);
      EXPECT_LE(uses[i].part.value_or(0), 1);
      if (uses[i].countedWith) {
        EXPECT_GT(*uses[i].countedWith, i);
      }
    }
  }
}

} // namespace
} // namespace daedalus::cli
