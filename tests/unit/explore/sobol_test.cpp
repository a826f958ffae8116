// Sobol samples: distinct, even, the same for the same seed.
#include "Explore/Sobol.h"

#include "Explore/Sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace daedalus::explore {
namespace {

using Points = std::vector<uint64_t>;

Points sampleOf(const Points &counts, uint64_t count, uint64_t seed) {
  return SobolPoints(counts, seed).take(count, [](uint64_t) { return true; });
}

TEST(Sobol, PointsAreDistinctAndOfTheGrid) {
  const Points points = sampleOf({2, 7, 5, 1, 9}, 400, 3);
  ASSERT_EQ(points.size(), 400u);
  EXPECT_EQ(std::set<uint64_t>(points.begin(), points.end()).size(), 400u);
  EXPECT_LT(*std::max_element(points.begin(), points.end()), 2u * 7 * 5 * 9);
  EXPECT_EQ(sampleOf({3, 4}, 100, 1).size(), 12u) << "no more than there are";
}

TEST(Sobol, TheSeedDecides) {
  EXPECT_EQ(sampleOf({8, 8, 8}, 50, 4), sampleOf({8, 8, 8}, 50, 4));
  EXPECT_NE(sampleOf({8, 8, 8}, 50, 4), sampleOf({8, 8, 8}, 50, 5));
}

/// Each half and each quarter of each axis, and each pair of halves, has its share of 64 points.
TEST(Sobol, PointsAreEven) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::map<std::pair<int, uint64_t>, int> quarters;
    std::map<std::pair<int, uint64_t>, int> pairs;
    for (const uint64_t point : sampleOf({1024, 1024, 1024}, 64, seed)) {
      const uint64_t axes[] = {point >> 20, point >> 10 & 1023, point & 1023};
      for (int axis = 0; axis < 3; ++axis) {
        ++quarters[{axis, axes[axis] / 256}];
        ++pairs[{axis, axes[axis] / 512 * 2 + axes[(axis + 1) % 3] / 512}];
      }
    }
    for (const auto &[where, count] : quarters)
      EXPECT_NEAR(count, 16, 1) << "seed " << seed << ", axis " << where.first;
    for (const auto &[where, count] : pairs)
      EXPECT_NEAR(count, 16, 2) << "seed " << seed << ", axis " << where.first;
  }
}

TEST(Sobol, WhatIsNotWantedCountsForNothing) {
  SobolPoints points({10, 10, 10}, 1);
  const auto isEven = [](uint64_t point) { return point % 2 == 0; };
  Points first = points.take(100, isEven);
  const Points second = points.take(100, isEven);
  first.insert(first.end(), second.begin(), second.end());
  ASSERT_EQ(first.size(), 200u);
  EXPECT_TRUE(std::all_of(first.begin(), first.end(), isEven));
  EXPECT_EQ(std::set<uint64_t>(first.begin(), first.end()).size(), 200u) << "none of the first again";
  EXPECT_TRUE(points.take(5, [](uint64_t) { return false; }).empty());
}

TEST(Sobol, ASampleIsOfMachines) {
  const auto space = readSpace("keys: {n: [8, 16, 17], bus_bytes: [8, 16], read_latency: {from: 1, to: 50, "
                               "step: 1}}\n",
                               "s.yaml");
  ASSERT_TRUE(space) << space.error();
  const Points points = pointsOf(*space, 40, 7);
  EXPECT_EQ(std::count_if(points.begin(), points.end(),
                          [&](uint64_t point) { return space->point(point).machine.has_value(); }),
            40);
  EXPECT_GT(points.size(), 40u) << "those that are skipped on the way";
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  EXPECT_EQ(pointsOf(*space, 300, 7).size(), 300u);
}

} // namespace
} // namespace daedalus::explore
