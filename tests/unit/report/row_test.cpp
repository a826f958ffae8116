// Layers of two packages as rows, and what the rows add up to.

#include "sides.h"

#include "Report/Figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::nullopt_t none = std::nullopt;

TEST(Pairs, AreOfOneNameAndInOrder) {
  EXPECT_THAT(pairLayers({"a", "b"}, {"a", "b"}), ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_THAT(pairLayers({"a", "b"}, {}), ElementsAre(Pair(0, none), Pair(1, none)));
  EXPECT_THAT(pairLayers({}, {"a"}), ElementsAre(Pair(none, 0)));
}

TEST(Pairs, StandWhereTheirLayerStands) {
  EXPECT_THAT(
      pairLayers({"a", "x", "b"}, {"y", "a", "z", "b", "w"}),
      ElementsAre(Pair(none, 0), Pair(0, 1), Pair(1, none), Pair(none, 2), Pair(2, 3), Pair(none, 4)));
}

TEST(Pairs, LoseNoLayerWhereNamesRepeatOrTheOrderDiffers) {
  EXPECT_THAT(pairLayers({"a", "a", "a"}, {"a", "a"}), ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, none)));
  EXPECT_THAT(pairLayers({"b", "a"}, {"a", "c", "b"}), ElementsAre(Pair(none, 1), Pair(0, 2), Pair(1, 0)));
}

TEST(Rows, HaveEveryLayerOfBothSides) {
  const std::vector<TargetRow> rows = rowsOf(placedSide(), cpuSide());
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].node, "blocks");
  EXPECT_EQ(rows[0].target, "");
  EXPECT_TRUE(rows[0].cpu);
  EXPECT_EQ(rows[1].node, "stem");
  EXPECT_EQ(rows[1].cycles, 1000u);
  EXPECT_FALSE(rows[1].left);
  EXPECT_EQ(rows[2].node, "head");
  EXPECT_FALSE(rows[2].cpu);
  EXPECT_EQ(rows[3].node, "softmax");
  EXPECT_FALSE(rows[3].cycles);
  EXPECT_TRUE(rows[3].left && rows[3].cpu);
  EXPECT_EQ(rows[4].node, "(none)");
  EXPECT_EQ(rows[4].cycles, 34u);
}

TEST(Rows, AreOfOneWorkWhereNodesRepeat) {
  PlacedSide placed = placedSide();
  CpuSide cpu = cpuSide();
  placed.layers[2].node = cpu.layers[0].node = "stem"; // which multiply nothing
  const std::vector<TargetRow> rows = rowsOf(placed, cpu);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].macs, 128000u);
  EXPECT_DOUBLE_EQ(rows[0].cpu->median(), 20.04e-6);
}

TEST(Rows, HaveNoFigureOfWhatWasNotMeasured) {
  PlacedSide placed = placedSide();
  placed.left.clear();
  EXPECT_FALSE(rowsOf(placed, cpuSide())[3].left);
}

TEST(Sums, AreThoseOfTheRows) {
  const TargetSum sum = sumOf(rowsOf(placedSide(), cpuSide()), 500);
  EXPECT_EQ(sum.macs, 192000u);
  EXPECT_EQ(sum.placedMacs, 192000u);
  EXPECT_EQ(sum.cycles, placedSide().cycles);
  EXPECT_EQ(sum.placed, 3u);
  EXPECT_EQ(sum.left, 1u);
  EXPECT_DOUBLE_EQ(sum.acceleratorSeconds, 1534 / 500e6);
  EXPECT_DOUBLE_EQ(sum.leftSeconds, 3.04e-6);
  EXPECT_DOUBLE_EQ(sum.cpuSeconds, 24.12e-6);
}

TEST(Sums, AreOfWhatIsPrintedWhereThatIsRounded) {
  EXPECT_DOUBLE_EQ(sumOf(rowsOf(placedSide(), cpuSide()), 0, 1e-7).cpuSeconds, 24e-6); // 1.0 + 20.0 + 3.0
}

TEST(Clocks, MakeTimeOfCycles) {
  EXPECT_DOUBLE_EQ(secondsAt(1, 1), 1e-6);
  EXPECT_DOUBLE_EQ(secondsAt(800, 1600), 2e-6);
  EXPECT_EQ(sumOf(rowsOf(placedSide(), cpuSide()), 0).acceleratorSeconds, 0);
}

TEST(LevelsOfCode, HaveTheirFeatures) {
  EXPECT_EQ(levelOf({"x86_64-pc-linux-gnu", "x86-64-v3", {}, {}, {}}), "x86-64-v3");
  EXPECT_EQ(levelOf({"", "x86-64-v4", {"avx512vnni"}, {}, {}}), "x86-64-v4 with avx512vnni");
  EXPECT_EQ(levelOf({"", "x86-64-v4", {"avx512vnni", "amx-int8"}, {}, {}}),
            "x86-64-v4 with avx512vnni, amx-int8");
}

} // namespace
} // namespace daedalus::report
