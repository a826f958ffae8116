// Which points a search evaluates next.
#include "Explore/Generation.h"

#include <gmock/gmock.h>

namespace daedalus::explore {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

const std::vector<Values> front = {{5, 5}};
const Values reference = {10, 10};

TEST(Generation, TakesWhatAddsMostAndNothingTwice) {
  const std::vector<Candidate> candidates = {{1, {4, 4.5}, {0, 0}},
                                             {2, {3, 3}, {0, 0}},
                                             {3, {3, 3}, {0, 0}},
                                             {4, {1, 9}, {0, 0}},
                                             {5, {6, 6}, {0, 0}}};
  EXPECT_THAT(nextGeneration(candidates, front, reference, 8), ElementsAre(2, 4))
      << "the others add nothing behind these";
}

TEST(Generation, AQuarterIsOptimistic) {
  std::vector<Candidate> candidates = {{100, {6, 6}, {0.3, 0.3}}};
  for (uint64_t point = 1; point <= 20; ++point)
    candidates.push_back({point, {5 - 0.1 * double(point), 5 + 0.1 * double(point)}, {0, 0}});
  const std::vector<uint64_t> points = nextGeneration(candidates, front, reference, 8);
  EXPECT_EQ(points.size(), 8u);
  EXPECT_THAT(points, Contains(100u));
  EXPECT_THAT(nextGeneration(candidates, front, reference, 3), Not(Contains(100u)))
      << "all of three are expected";
}

TEST(Generation, NothingBeyondTheReference) {
  EXPECT_THAT(nextGeneration({{1, {1, 11}, {0, 0}}, {2, {4, 9}, {0, 0}}}, front, reference, 8),
              ElementsAre(2));
  EXPECT_TRUE(nextGeneration({}, front, reference, 8).empty());
}

} // namespace
} // namespace daedalus::explore
