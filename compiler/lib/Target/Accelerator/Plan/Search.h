// The best group of some calls that is found step by step from those that promise most.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SEARCH_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_PLAN_SEARCH_H

#include "Plan/Neighbours.h"
#include "Plan/Trials.h"

#include <limits>
#include <set>

namespace daedalus::accelerator {

using Choices = std::vector<std::vector<Schedule>>; ///< of the calls of a group
constexpr double Unlimited = std::numeric_limits<double>::infinity();

class Search {
public:
  /// Of groups behind `before`.
  Search(Trials &trials, Neighbours &neighbours, const StreamModel &before, StreamModel::Rank rank)
      : trials(trials), neighbours(neighbours), before(before), rank(rank) {}

  /// The best group of `choices` for the calls from `first` on, bettered, if one of them costs less than
  /// `most`.
  std::optional<Outcome> run(size_t first, const Choices &choices, double most);

private:
  std::vector<Outcome> startsOf(size_t first, const Choices &choices, double most);
  void start(size_t first, const Choices &choices, double most);
  void consider(llvm::ArrayRef<Group> groups, double most);
  void tryLags();
  double enough() const;
  void better();
  void better(size_t each, int rounds);

  Trials &trials;
  Neighbours &neighbours;
  const StreamModel &before;
  const StreamModel::Rank rank;
  std::optional<Outcome> found;
  std::set<std::pair<std::vector<Schedule>, int64_t>> tried; ///< schedules and lags
};

} // namespace daedalus::accelerator

#endif
