// A search over points of a finite space by trials, each of which has a cost: at random, by evolution, or by
// evolution behind a model that learns from the trials. The caller asks for points, tries them, and tells
// what they cost.
//
//   Search search(space, Strategy::Learned, /*seed=*/1);
//   while (trials < budget)
//     for (const Point &point : search.ask(8))
//       search.tell(point, costOf(point));
//
// The learned model is gradient-boosted trees (XGBoost, Chen and Guestrin, KDD 2016) that predict the
// logarithm of the cost, as Chen et al. (Learning to Optimize Tensor Programs, NeurIPS 2018) search for
// tensor programs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace daedalus::plansearch {

/// A value for each variable, below the number of its choices.
using Point = std::vector<uint32_t>;

/// What is searched. Each point is a legal one, though its trial may fail.
struct Space {
  std::vector<uint32_t> choices; ///< by variable
  /// Points that differ from one in one variable, and are near; may be empty for a variable.
  std::function<std::vector<uint32_t>(const Point &point, size_t variable)> near;
  /// What a model of costs sees of a point: as many numbers of each.
  std::function<std::vector<float>(const Point &point)> features;
  /// A guess of the cost, of which the model learns how far it is off; nothing: the point is not worth a
  /// trial.
  std::function<std::optional<double>(const Point &point)> estimate;
  std::vector<Point> starts; ///< tried first

  /// How many points there are, at most UINT64_MAX.
  uint64_t size() const;
};

enum class Strategy { Random, Evolution, Learned };

/// "random", "evolution", "learned".
const std::vector<std::string> &strategyNames();

class Search {
public:
  /// The same points for the same seed and the same costs.
  Search(const Space &space, Strategy strategy, uint64_t seed);

  /// Points that were not asked for before, as many as `count` unless there are no more.
  std::vector<Point> ask(size_t count);
  /// Of a point that was asked for; nothing: it cannot run.
  void tell(const Point &point, std::optional<double> cost);

  struct Trial {
    Point point;
    double cost;
  };
  /// The cheapest so far, the first one of these; null where nothing ran.
  const Trial *best() const { return trials.empty() ? nullptr : &trials.front(); }

private:
  std::optional<Point> draw();
  std::optional<Point> fresh(const std::function<Point()> &make);
  Point randomPoint();
  Point mutated(const Point &point);
  const Point &parent();
  double estimateOf(const Point &point);
  void evolveEstimates();
  std::vector<float> learnedErrors(const std::vector<Point> &points) const;
  std::vector<Point> predicted(size_t count);

  const Space &space;
  const Strategy strategy;
  std::mt19937_64 random;
  std::vector<Trial> trials; ///< that ran, the cheapest first
  std::set<Point> asked;
  std::map<Point, double> estimates; ///< infinite where there is none
  size_t started = 0;                ///< of the starts
};

} // namespace daedalus::plansearch
