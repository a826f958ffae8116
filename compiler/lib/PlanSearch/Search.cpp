// See Search.h.
#include "PlanSearch/Search.h"

#include "PlanSearch/CostModel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::plansearch {
namespace {

constexpr size_t Parents = 8;     ///< the cheapest trials, of which others are made
constexpr size_t Draws = 200;     ///< to find a point that was not asked for before
constexpr size_t LearnsFrom = 8;  ///< trials
constexpr size_t Generations = 4; ///< of points that are estimated, before points are asked for
constexpr size_t Population = 48; ///< points of a generation
constexpr size_t Compared = 256;  ///< points of the least estimates, among which what was learned decides

} // namespace

uint64_t Space::size() const {
  uint64_t all = 1;
  for (const uint32_t count : choices)
    if (__builtin_mul_overflow(all, uint64_t(count), &all))
      return UINT64_MAX;
  return all;
}

const std::vector<std::string> &strategyNames() {
  static const std::vector<std::string> names = {"random", "evolution", "learned"};
  return names;
}

Search::Search(const Space &space, Strategy strategy, uint64_t seed)
    : space(space), strategy(strategy), random(seed) {}

std::vector<Point> Search::ask(size_t count) {
  std::vector<Point> points;
  while (points.size() < count && started < space.starts.size())
    if (const Point &start = space.starts[started++]; asked.insert(start).second)
      points.push_back(start);
  if (strategy == Strategy::Learned && !trials.empty() && points.size() < count)
    for (Point &point : predicted(count - points.size())) {
      asked.insert(point);
      points.push_back(std::move(point));
    }
  while (points.size() < count) {
    std::optional<Point> point = draw();
    if (!point)
      break;
    asked.insert(*point);
    points.push_back(std::move(*point));
  }
  return points;
}

void Search::tell(const Point &point, std::optional<double> cost) {
  if (!cost)
    return;
  const auto place = std::upper_bound(trials.begin(), trials.end(), *cost,
                                      [](double a, const Trial &b) { return a < b.cost; });
  trials.insert(place, {point, *cost});
  if (strategy == Strategy::Learned)
    estimateOf(point);
}

/// By chance where evolution finds nothing, and one after the other where chance finds nothing.
std::optional<Point> Search::draw() {
  if (strategy != Strategy::Random && !trials.empty())
    if (std::optional<Point> point = fresh([&] { return mutated(parent()); }))
      return point;
  if (std::optional<Point> point = fresh([&] { return randomPoint(); }))
    return point;
  if (asked.size() >= space.size())
    return std::nullopt;
  Point point(space.choices.size(), 0);
  while (asked.count(point))
    for (size_t i = 0; i < point.size() && ++point[i] == space.choices[i]; ++i)
      point[i] = 0;
  return point;
}

std::optional<Point> Search::fresh(const std::function<Point()> &make) {
  for (size_t draw = 0; draw < Draws; ++draw)
    if (Point point = make(); !asked.count(point))
      return point;
  return std::nullopt;
}

Point Search::randomPoint() {
  Point point;
  for (const uint32_t count : space.choices)
    point.push_back(static_cast<uint32_t>(random() % count));
  return point;
}

/// One variable, or two: a step in one, or anything.
Point Search::mutated(const Point &point) {
  Point changed = point;
  do {
    const size_t variable = random() % changed.size();
    const std::vector<uint32_t> near = space.near(changed, variable);
    if (near.empty() || random() % 5 == 0)
      changed[variable] = static_cast<uint32_t>(random() % space.choices[variable]);
    else
      changed[variable] = near[random() % near.size()];
  } while (random() % 3 == 0);
  return changed;
}

/// The cheaper, the more often.
const Point &Search::parent() {
  const size_t count = std::min(trials.size(), Parents);
  return trials[std::min(random() % count, random() % count)].point;
}

double Search::estimateOf(const Point &point) {
  const auto [place, isNew] = estimates.try_emplace(point, HUGE_VAL);
  if (isNew)
    if (const std::optional<double> estimate = space.estimate(point))
      place->second = *estimate;
  return place->second;
}

/// Adds points to those that were estimated, which come from those of the least estimates so far.
void Search::evolveEstimates() {
  std::vector<std::pair<double, Point>> population;
  for (const auto &[point, estimate] : estimates)
    population.emplace_back(estimate, point);
  for (size_t generation = 0; generation < Generations; ++generation) {
    std::sort(population.begin(), population.end());
    population.resize(std::min(population.size(), Population));
    for (size_t parents = population.size(), child = 0; child < Population; ++child) {
      const Point point = child % 8 == 0 ? randomPoint() : mutated(population[random() % parents].second);
      if (!estimates.count(point))
        population.emplace_back(estimateOf(point), point);
    }
  }
}

/// By how much the estimates of points are off, as a factor, as far as the trials tell.
std::vector<float> Search::learnedErrors(const std::vector<Point> &points) const {
  if (trials.size() < LearnsFrom)
    return std::vector<float>(points.size(), 0);
  Features known, questions;
  std::vector<double> errors;
  for (const Trial &trial : trials) {
    known.push_back(space.features(trial.point));
    const double estimate = estimates.at(trial.point);
    errors.push_back(estimate < HUGE_VAL ? trial.cost / estimate : 1);
  }
  for (const Point &point : points)
    questions.push_back(space.features(point));
  const Result<std::vector<float>> predicted = predictCosts(known, errors, questions);
  return predicted ? *predicted : std::vector<float>(points.size(), 0);
}

/// Of the estimated points those that are expected to be the cheapest.
std::vector<Point> Search::predicted(size_t count) {
  evolveEstimates();
  std::vector<std::pair<double, Point>> candidates;
  for (const auto &[point, estimate] : estimates)
    if (estimate < HUGE_VAL && !asked.count(point))
      candidates.emplace_back(estimate, point);
  std::sort(candidates.begin(), candidates.end());
  candidates.resize(std::min(candidates.size(), Compared));
  std::vector<Point> points;
  for (const auto &[estimate, point] : candidates)
    points.push_back(point);
  if (points.empty())
    return points;
  const std::vector<float> errors = learnedErrors(points);
  for (size_t i = 0; i < points.size(); ++i)
    candidates[i].first = std::log(candidates[i].first) + errors[i];
  std::sort(candidates.begin(), candidates.end());
  points.resize(std::min(points.size(), count));
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = candidates[i].second;
  return points;
}

} // namespace daedalus::plansearch
