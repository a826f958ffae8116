// See Search.h.

#include "Plan/Search.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {
namespace {

constexpr uint64_t ShortGroup = 5000; ///< cycles: the model's error hides what bettering would gain
constexpr double LeastGain = 0.0002;  ///< of the group's cycles: less does not count as better
constexpr int MostRounds = 8;         ///< of betterments
constexpr size_t MostWhole = 24;      ///< combinations of which each is tried
constexpr int MostPasses = 3;         ///< over the calls, where there are more
constexpr size_t MostStarts = 2;      ///< that are bettered, of a group with a window that slides
constexpr int64_t Lags[] = {0, 1, 2, 3};
constexpr int64_t UsualLag = 1;
constexpr size_t Widest = 2; ///< neighbours in each direction

size_t countOf(const Choices &choices) {
  size_t count = 1;
  for (const std::vector<Schedule> &schedules : choices)
    count *= schedules.size();
  return count;
}

std::vector<Group> combinations(size_t first, const Choices &choices) {
  std::vector<Group> groups{{first, {}, UsualLag}};
  for (const std::vector<Schedule> &schedules : choices) {
    std::vector<Group> longer;
    for (const Group &group : groups)
      for (const Schedule &schedule : schedules) {
        longer.push_back(group);
        longer.back().schedules.push_back(schedule);
      }
    groups = std::move(longer);
  }
  return groups;
}

/// The group with each of these schedules for one of its calls.
std::vector<Group> withEach(const Group &group, size_t call, llvm::ArrayRef<Schedule> schedules) {
  std::vector<Group> groups(schedules.size(), group);
  for (auto [schedule, other] : llvm::zip_equal(schedules, groups))
    other.schedules[call] = schedule;
  return groups;
}

} // namespace

std::optional<Outcome> Search::run(size_t first, const Choices &choices, double most) {
  std::optional<Outcome> best;
  for (Outcome &start : startsOf(first, choices, most)) {
    found = std::move(start);
    tryLags();
    if (found->model.end() >= before.end() + ShortGroup)
      better();
    if (!best || found->model.cost(rank) < best->model.cost(rank))
      best = std::move(found);
  }
  return best;
}

/// A good combination; where a window slides, those of schedules of its call: a step from one of its tiles to
/// the next often has to pass one that is worse than both.
std::vector<Outcome> Search::startsOf(size_t first, const Choices &choices, double most) {
  const auto slides = [](const std::vector<Schedule> &schedules) {
    return llvm::any_of(schedules, [](const Schedule &s) { return s.slide > 0; });
  };
  const auto window = llvm::find_if(choices, slides);
  std::vector<Choices> parts{choices};
  if (window != choices.end()) {
    parts.assign(window->size(), choices);
    for (auto [schedule, part] : llvm::zip_equal(*window, parts))
      part[window - choices.begin()] = {schedule};
  }
  std::vector<Outcome> starts; ///< the best ones, of equal ones the first
  const auto costOf = [&](const Outcome &outcome) { return outcome.model.cost(rank); };
  for (const Choices &part : parts) {
    start(first, part, starts.size() < MostStarts ? most : costOf(starts.back()));
    if (!found)
      continue;
    const auto place = llvm::upper_bound(
        starts, costOf(*found), [&](double cost, const Outcome &other) { return cost < costOf(other); });
    starts.insert(place, std::move(*found));
    if (starts.size() > MostStarts)
      starts.pop_back();
  }
  return starts;
}

/// The best combination of few; of many one that no other choice for a single call is better than.
void Search::start(size_t first, const Choices &choices, double most) {
  found.reset();
  if (countOf(choices) <= MostWhole)
    return consider(combinations(first, choices), most);
  Group at{first, {}, UsualLag};
  for (const std::vector<Schedule> &schedules : choices)
    at.schedules.push_back(schedules.front());
  for (int pass = 0; pass < MostPasses; ++pass) {
    const std::vector<Schedule> before = at.schedules;
    for (size_t call = 0; call < choices.size(); ++call) {
      consider(withEach(at, call, choices[call]), found ? found->model.cost(rank) : most);
      if (found)
        at = found->group;
    }
    if (at.schedules == before)
      return;
  }
}

/// Each group once: what has lost against one loses against a better one.
void Search::consider(llvm::ArrayRef<Group> groups, double most) {
  std::vector<Group> fresh;
  for (const Group &group : groups)
    if (tried.emplace(group.schedules, group.lag).second)
      fresh.push_back(group);
  if (std::optional<Outcome> best = trials.best(before, fresh, rank, most))
    found = std::move(best);
}

void Search::tryLags() {
  std::vector<Group> groups;
  for (int64_t lag : Lags)
    groups.push_back({found->group.first, found->group.schedules, lag});
  consider(groups, enough());
}

/// What a group has to cost less than to count as better.
double Search::enough() const {
  const double cost = found->model.cost(rank);
  return cost - LeastGain * (cost - before.cost(rank));
}

/// Once among all neighbours, among the nearest as long as that helps, then among all again.
void Search::better() {
  better(Widest, 1);
  better(1, MostRounds);
  better(Widest, MostRounds);
}

/// One call's schedule at a time: so many neighbours in each direction, as long as that helps.
void Search::better(size_t each, int rounds) {
  double cost = Unlimited;
  for (int round = 0; round < rounds && found->model.cost(rank) < cost; ++round) {
    cost = found->model.cost(rank);
    for (size_t i = 0; i < found->group.schedules.size(); ++i) {
      const Group &group = found->group;
      const size_t call = group.first + i, size = group.schedules.size();
      consider(withEach(group, i, neighbours.of(call, group.schedules[i], each, size)), enough());
    }
    tryLags();
  }
}

} // namespace daedalus::accelerator
