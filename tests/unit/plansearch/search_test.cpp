// The search against spaces whose costs are known: what it asks for, what it finds, and how soon.
#include "PlanSearch/CostModel.h"
#include "PlanSearch/Search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace daedalus::plansearch {
namespace {

/// Sizes of a hill with a ridge, the least cost at (13, 4, 1): variables of 20, 10 and 3 choices.
double costAt(const Point &point) {
  const double x = point[0] - 13.0, y = point[1] - 4.0;
  return 1000 + 10 * x * x + 30 * y * y + 8 * x * y + (point[2] == 1 ? 0 : 200);
}

Space hill() {
  Space space;
  space.choices = {20, 10, 3};
  space.near = [choices = space.choices](const Point &point, size_t variable) {
    std::vector<uint32_t> near;
    if (point[variable] > 0)
      near.push_back(point[variable] - 1);
    if (point[variable] + 1 < choices[variable])
      near.push_back(point[variable] + 1);
    return near;
  };
  space.features = [](const Point &point) { return std::vector<float>(point.begin(), point.end()); };
  space.estimate = [](const Point &point) {
    return std::optional<double>(costAt(point) * (1 + 0.1 * std::sin(point[0])));
  };
  space.starts = {{0, 0, 0}};
  return space;
}

/// Trials until the best is found.
size_t trialsToBest(Strategy strategy, uint64_t seed) {
  const Space space = hill();
  Search search(space, strategy, seed);
  for (size_t trials = 1; trials <= space.size(); ++trials) {
    const Point point = search.ask(1).at(0);
    search.tell(point, costAt(point));
    if (search.best()->cost == 1000)
      return trials;
  }
  ADD_FAILURE() << "seed " << seed << " never asks for the best point";
  return 0;
}

double median(std::vector<size_t> counts) {
  std::sort(counts.begin(), counts.end());
  return double(counts[counts.size() / 2]);
}

class Strategies : public ::testing::TestWithParam<int> {
protected:
  Strategy strategy() const { return static_cast<Strategy>(GetParam()); }
};

TEST_P(Strategies, AskForEachPointOnce) {
  const Space space = hill();
  Search search(space, strategy(), 5);
  std::set<Point> asked;
  for (;;) {
    const std::vector<Point> points = search.ask(7);
    for (const Point &point : points) {
      EXPECT_TRUE(asked.insert(point).second);
      search.tell(point, point[0] % 5 == 4 ? std::nullopt : std::optional<double>(costAt(point)));
    }
    if (points.empty())
      break;
  }
  EXPECT_EQ(asked.size(), space.size());
  ASSERT_TRUE(search.best());
  EXPECT_EQ(search.best()->point, (Point{13, 4, 1}));
}

TEST_P(Strategies, AskForTheSamePointsAgain) {
  const Space space = hill();
  Search one(space, strategy(), 9), other(space, strategy(), 9);
  for (int round = 0; round < 10; ++round) {
    const std::vector<Point> points = one.ask(4);
    ASSERT_EQ(points, other.ask(4));
    for (const Point &point : points) {
      one.tell(point, costAt(point));
      other.tell(point, costAt(point));
    }
  }
}

TEST_P(Strategies, BeginWithTheStarts) {
  const Space space = hill();
  EXPECT_EQ(Search(space, strategy(), 1).ask(3).front(), (Point{0, 0, 0}));
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, ::testing::Range(0, 3));

TEST(Search, LearningNeedsHalfOfTheTrialsOfChance) {
  std::vector<size_t> chance, evolution, learned;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    chance.push_back(trialsToBest(Strategy::Random, seed));
    evolution.push_back(trialsToBest(Strategy::Evolution, seed));
    learned.push_back(trialsToBest(Strategy::Learned, seed));
  }
  EXPECT_LT(median(evolution), 0.5 * median(chance));
  EXPECT_LT(median(learned), 0.5 * median(evolution));
}

TEST(CostModel, LearnsWhatItIsShown) {
  Features known, asked;
  std::vector<double> costs;
  for (int i = 0; i < 100; ++i) {
    known.push_back({float(i % 10), float(i / 10)});
    costs.push_back(100 * std::exp(0.3 * (i % 10)));
  }
  asked = {{1, 5}, {8, 2}};
  const Result<std::vector<float>> predicted = predictCosts(known, costs, asked);
  ASSERT_TRUE(predicted) << predicted.error();
  const std::vector<float> &expected = *predicted;
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_NEAR(expected[0], std::log(costs[1]), 0.1);
  EXPECT_NEAR(expected[1], std::log(costs[8]), 0.1);
  EXPECT_EQ(expected, *predictCosts(known, costs, asked));
}

} // namespace
} // namespace daedalus::plansearch
