// See Search.h. Values are logarithms here, so that a factor weighs the same in each objective.
#include "Explore/Search.h"

#include "Explore/Generation.h"
#include "Explore/Sobol.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace daedalus::explore {
namespace {

constexpr uint64_t firstPoints = 32;    // of the Sobol sequence
constexpr uint64_t leastGeneration = 8; // points
constexpr uint64_t freshPoints = 256;   // further ones of the sequence that a generation looks at
constexpr uint64_t mostLearned = 600;   // points that a surrogate is fitted to
constexpr int mostSteps = 2;            // from the front to a neighbour

Values logarithms(Values values) {
  for (double &value : values)
    value = std::log(value);
  return values;
}

std::vector<uint64_t> countsOf(const std::vector<Surrogate::Axis> &axes) {
  std::vector<uint64_t> counts;
  for (const Surrogate::Axis &axis : axes)
    counts.push_back(axis.count);
  return counts;
}

class Search {
public:
  Search(const SearchGrid &grid, const SearchLimits &limits)
      : grid(grid), evaluations(limits.evaluations), sobol(countsOf(grid.axes), limits.seed),
        surrogates(grid.objectives, Surrogate(grid.axes)), reference(logarithms(limits.reference)) {
    reference.resize(grid.objectives, INFINITY);
  }

  Result<std::vector<uint64_t>> run() {
    for (std::vector<uint64_t> points = samples(std::min(firstPoints, evaluations)); !points.empty();
         points = next()) {
      order.insert(order.end(), points.begin(), points.end());
      isAsked.insert(points.begin(), points.end());
      const Result<std::map<uint64_t, Values>> all = grid.evaluate(points);
      if (!all)
        return error(all.error());
      keep(*all);
    }
    return order;
  }

private:
  /// What is known of the point without an evaluation.
  const std::optional<Values> &look(uint64_t point) {
    const auto [place, isNew] = looked.try_emplace(point);
    if (isNew)
      if (const std::optional<Values> values = grid.look(point))
        place->second = logarithms(*values);
    return place->second;
  }

  bool isOpen(uint64_t point) { return !isAsked.count(point) && look(point); }

  std::vector<uint64_t> samples(uint64_t count) {
    return sobol.take(count, [this](uint64_t point) { return isOpen(point); });
  }

  Levels levelsOf(uint64_t point) const {
    Levels levels(grid.axes.size());
    for (size_t axis = levels.size(); axis-- > 0; point /= grid.axes[axis].count)
      levels[axis] = static_cast<uint32_t>(point % grid.axes[axis].count);
    return levels;
  }

  uint64_t pointOf(const Levels &levels) const {
    uint64_t point = 0;
    for (size_t axis = 0; axis < levels.size(); ++axis)
      point = point * grid.axes[axis].count + levels[axis];
    return point;
  }

  /// The answers, and the front of those inside the reference.
  void keep(const std::map<uint64_t, Values> &answers) {
    values.clear();
    worst.assign(grid.objectives, -INFINITY);
    std::vector<Values> inside;
    for (const auto &[point, answer] : answers) {
      const Values &one = values[point] = logarithms(answer);
      for (size_t i = 0; i < one.size(); ++i)
        worst[i] = std::max(worst[i], one[i]);
      if (std::equal(one.begin(), one.end(), reference.begin(), std::less<>()))
        inside.push_back(one);
    }
    front = frontOf(std::move(inside));
  }

  bool isOnFront(const Values &one) const { return std::binary_search(front.begin(), front.end(), one); }

  /// The front, and of the others every so many.
  std::vector<uint64_t> pointsToLearn() const {
    const size_t stride = order.size() / mostLearned + 1;
    std::vector<uint64_t> points;
    for (size_t i = 0; i < order.size(); ++i)
      if (const auto found = values.find(order[i]);
          i % stride == 0 || (found != values.end() && isOnFront(found->second)))
        points.push_back(order[i]);
    return points;
  }

  /// Points without an answer count as worse than all others.
  void learn() {
    const std::vector<uint64_t> points = pointsToLearn();
    std::vector<Levels> levels;
    for (const uint64_t point : points)
      levels.push_back(levelsOf(point));
    for (size_t i = 0; i < grid.objectives; ++i) {
      if (!std::isnan((*look(points.front()))[i]))
        continue;
      std::vector<double> numbers;
      for (const uint64_t point : points)
        numbers.push_back(values.count(point) ? values[point][i] : worst[i] + 1);
      surrogates[i].fit(levels, numbers);
    }
  }

  void addNeighbours(const Levels &levels, int steps, std::set<uint64_t> &near) const {
    for (size_t axis = 0; axis < levels.size(); ++axis)
      for (uint32_t level = 0; level < grid.axes[axis].count; ++level) {
        const uint32_t distance = std::max(level, levels[axis]) - std::min(level, levels[axis]);
        if (distance == 0 || (distance > 1 && grid.axes[axis].isOrdered))
          continue;
        Levels moved = levels;
        moved[axis] = level;
        near.insert(pointOf(moved));
        if (steps > 1)
          addNeighbours(moved, steps - 1, near);
      }
  }

  /// Neighbours of the front, and points of the sequence.
  std::set<uint64_t> pointsToLookAt() {
    const auto isOpen = [this](uint64_t point) { return this->isOpen(point); };
    for (const uint64_t point : sobol.take(freshPoints, isOpen))
      fresh.insert(point);
    std::set<uint64_t> points = fresh;
    for (const auto &[point, one] : values)
      if (isOnFront(one))
        addNeighbours(levelsOf(point), mostSteps, points);
    return points;
  }

  Candidate candidateAt(uint64_t point) {
    Candidate candidate{point, *look(point), Values(grid.objectives)};
    const Levels levels = levelsOf(point);
    for (size_t i = 0; i < grid.objectives; ++i)
      if (std::isnan(candidate.mean[i])) {
        const Surrogate::Prediction prediction = surrogates[i].at(levels);
        candidate.mean[i] = prediction.mean;
        candidate.deviation[i] = prediction.deviation;
      }
    return candidate;
  }

  /// Where the user gives no reference: a little worse than the worst so far.
  Values bound() const {
    Values bound = reference;
    for (size_t i = 0; i < bound.size(); ++i)
      if (std::isinf(bound[i]))
        bound[i] = worst[i] + 0.1;
    return bound;
  }

  /// As if there were no limit, so that the limit only cuts the last one.
  std::vector<uint64_t> next() {
    if (order.size() == evaluations)
      return {};
    const uint64_t count = std::max<uint64_t>(leastGeneration, order.size() / 8);
    std::vector<uint64_t> points;
    if (!values.empty()) {
      learn();
      std::vector<Candidate> candidates;
      for (const uint64_t point : pointsToLookAt())
        if (isOpen(point))
          candidates.push_back(candidateAt(point));
      points = nextGeneration(candidates, front, bound(), count);
    }
    fillUp(points, count);
    points.resize(std::min<uint64_t>(points.size(), evaluations - order.size()));
    return points;
  }

  /// Where too few are promising: points that were looked at, then further ones.
  void fillUp(std::vector<uint64_t> &points, uint64_t count) {
    const std::set<uint64_t> chosen(points.begin(), points.end());
    for (auto point = fresh.begin(); point != fresh.end() && points.size() < count; ++point)
      if (isOpen(*point) && !chosen.count(*point))
        points.push_back(*point);
    const std::vector<uint64_t> more = samples(count - points.size());
    points.insert(points.end(), more.begin(), more.end());
  }

  const SearchGrid &grid;
  const uint64_t evaluations;
  SobolPoints sobol;
  std::vector<Surrogate> surrogates; ///< by objective; those of known ones stay unused
  Values reference, worst;
  std::vector<uint64_t> order;       ///< of evaluations
  std::set<uint64_t> isAsked, fresh; ///< evaluated; points of the sequence that were looked at
  std::map<uint64_t, std::optional<Values>> looked;
  std::map<uint64_t, Values> values;
  std::vector<Values> front;
};

} // namespace

Result<std::vector<uint64_t>> search(const SearchGrid &grid, const SearchLimits &limits) {
  return Search(grid, limits).run();
}

} // namespace daedalus::explore
