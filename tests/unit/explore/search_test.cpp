// The search and its parts: hypervolumes against counting, surrogates on a known function, searches of small
// grids.
#include "Explore/Search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace daedalus::explore {
namespace {

using Points = std::vector<uint64_t>;

std::vector<Values> randomPoints(std::mt19937 &random, size_t count, size_t objectives, unsigned values) {
  std::vector<Values> points(count, Values(objectives));
  for (Values &point : points)
    for (double &value : point)
      value = random() % values;
  return points;
}

/// Unit cubes below the reference that a point dominates.
double counted(const std::vector<Values> &points, const Values &reference) {
  uint64_t cubes = 1, covered = 0;
  for (const double bound : reference)
    cubes *= static_cast<uint64_t>(bound);
  for (uint64_t cube = 0; cube < cubes; ++cube) {
    Values corner;
    uint64_t rest = cube;
    for (const double bound : reference) {
      corner.push_back(double(rest % static_cast<uint64_t>(bound)));
      rest /= static_cast<uint64_t>(bound);
    }
    covered += std::any_of(points.begin(), points.end(), [&](const Values &point) {
      return std::equal(point.begin(), point.end(), corner.begin(), std::less_equal<>());
    });
  }
  return double(covered);
}

TEST(Hypervolume, IsWhatThePointsDominate) {
  std::mt19937 random(5);
  for (size_t objectives = 1; objectives <= 4; ++objectives)
    for (int round = 0; round < 20; ++round) {
      const Values reference(objectives, 7);
      std::vector<Values> points = randomPoints(random, 1 + random() % 12, objectives, 9);
      const double volume = counted(points, reference);
      ASSERT_DOUBLE_EQ(hypervolume(points, reference), volume);
      const Values added = randomPoints(random, 1, objectives, 9)[0];
      const double gain = hypervolumeGain(points, added, reference);
      points.push_back(added);
      ASSERT_DOUBLE_EQ(gain, counted(points, reference) - volume);
    }
}

TEST(Hypervolume, FrontsHaveEachValueOnce) {
  EXPECT_EQ(frontOf({{3, 1}, {1, 3}, {2, 2}, {1, 3}, {2, 3}, {3, 3}}),
            (std::vector<Values>{{1, 3}, {2, 2}, {3, 1}}));
  EXPECT_TRUE(dominates({1, 2}, {1, 3}));
  EXPECT_FALSE(dominates({1, 2}, {1, 2}));
  EXPECT_FALSE(dominates({1, 4}, {2, 3}));
}

TEST(Surrogate, LearnsWhichAxesMatter) {
  Surrogate surrogate({{8, true}, {8, true}, {5, false}});
  const auto truth = [](const Levels &at) { return 0.3 * (at[0] * 5 % 8) + (at[2] == 3 ? 2 : 0); };
  std::mt19937 random(1);
  std::vector<Levels> points;
  std::vector<double> numbers;
  for (int i = 0; i < 80; ++i) {
    points.push_back({uint32_t(random() % 7), uint32_t(random() % 8), uint32_t(random() % 5)}); // never 7
    numbers.push_back(truth(points.back()));
  }
  for (int round = 0; round < 12; ++round)
    surrogate.fit(points, numbers);
  double squares = 0, uncertain = 0;
  for (uint32_t a = 0; a < 7; ++a)
    for (uint32_t b = 0; b < 8; ++b)
      for (uint32_t c = 0; c < 5; ++c) {
        const Surrogate::Prediction prediction = surrogate.at({a, b, c});
        squares += std::pow(prediction.mean - truth({a, b, c}), 2) / 280;
        uncertain += prediction.deviation / 280;
      }
  EXPECT_LT(std::sqrt(squares), 0.1) << "of numbers that reach from 0 to 4.1";
  EXPECT_LT(surrogate.at(points[0]).deviation, 1e-3) << "where it was told";
  EXPECT_GT(uncertain, 0.01);
  double along = 0, across = 0; // the axis that does not matter, and the one that does
  for (const Levels &at : points) {
    along += surrogate.at({at[0], (at[1] + 4) % 8, at[2]}).deviation;
    across += surrogate.at({7, at[1], at[2]}).deviation;
  }
  EXPECT_LT(along, across / 4);
}

/// Three axes of ten levels; the first objective is known beforehand. Every seventh point is no machine.
struct Example {
  SearchGrid grid;
  std::map<uint64_t, Values> answers;
  std::vector<size_t> generations;

  Example() {
    grid.axes = {{10, true}, {10, true}, {10, true}};
    grid.objectives = 2;
    grid.look = [](uint64_t point) -> std::optional<Values> {
      return point % 7 == 3 ? std::nullopt : std::optional<Values>({values(point)[0], NAN});
    };
    grid.evaluate = [this](const Points &points) -> Result<std::map<uint64_t, Values>> {
      generations.push_back(points.size());
      for (const uint64_t point : points) {
        EXPECT_NE(point % 7, 3u) << "no machine";
        EXPECT_TRUE(asked.insert(point).second) << "asked again";
        if (point % 11) // the others have no answer
          answers[point] = values(point);
      }
      return answers;
    };
  }

  static Values values(uint64_t point) {
    const double a = double(point / 100), b = double(point / 10 % 10), c = double(point % 10);
    return {1 + a + b + c, 100 / (1 + a) + 50 / (1 + b) + std::abs(c - 6)};
  }

  Points run(uint64_t evaluations, uint64_t seed = 1, const Values &reference = {}) {
    const auto order = search(grid, {evaluations, seed, reference});
    EXPECT_TRUE(order) << order.error();
    return *order;
  }

private:
  std::set<uint64_t> asked;
};

TEST(Search, IsTheSameForTheSameSeedAndGoesOn) {
  const Points order = Example().run(150);
  EXPECT_EQ(order.size(), 150u);
  EXPECT_EQ(Example().run(150), order);
  const Points first = Example().run(60);
  EXPECT_EQ(first, Points(order.begin(), order.begin() + 60)) << "the beginning of the longer one";
  EXPECT_NE(Example().run(60, 2), first);
}

TEST(Search, FindsTheFrontOfAFunction) {
  std::vector<Values> all;
  for (uint64_t point = 0; point < 1000; ++point)
    if (point % 7 != 3 && point % 11)
      all.push_back(Example::values(point));
  Example example;
  example.run(120);
  std::vector<Values> found;
  for (const auto &[point, values] : example.answers)
    found.push_back(values);
  const Values reference = {40, 200};
  EXPECT_GT(hypervolume(found, reference), 0.99 * hypervolume(all, reference));
}

TEST(Search, EndsWithTheLastPoint) {
  Example example;
  const Points order = example.run(100000);
  EXPECT_EQ(order.size(), 857u) << "all that are machines";
  EXPECT_EQ(example.generations.front(), 32u);
}

TEST(Search, StaysInsideTheReference) {
  const auto inside = [](const Points &order) {
    return std::count_if(order.begin(), order.end(), [](uint64_t point) {
      return Example::values(point)[0] < 12 && Example::values(point)[1] < 60;
    });
  };
  EXPECT_GT(inside(Example().run(100, 1, {12, 60})), inside(Example().run(100)) + 5);
}

TEST(Search, ErrorsAndNoAnswersAtAll) {
  Example example;
  example.grid.evaluate = [](const Points &) -> Result<std::map<uint64_t, Values>> {
    return error("no disk");
  };
  EXPECT_EQ(search(example.grid, {10, 1, {}}).error(), "no disk");
  example.grid.evaluate = [](const Points &) { return std::map<uint64_t, Values>(); };
  EXPECT_EQ(example.run(70).size(), 70u);
  example.grid.look = [](uint64_t) { return std::nullopt; };
  EXPECT_TRUE(example.run(70).empty());
}

} // namespace
} // namespace daedalus::explore
