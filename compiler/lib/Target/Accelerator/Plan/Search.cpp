// See Search.h.

#include "Plan/Search.h"

#include "Plan/Sharing.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {
namespace {

constexpr uint64_t ShortGroup = 5000; ///< cycles: the model's error hides what bettering would gain
constexpr int MostRounds = 8;         ///< of betterments
constexpr size_t MostStarts = 3;      ///< that are bettered, of a group with a window that slides
constexpr int64_t Lags[] = {0, 1, 2, 3};
constexpr int64_t UsualLag = 1;

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

/// The best combination; where a window slides, the best ones of schedules of its call: a step from one of
/// its tiles to the next often has to pass one that is worse than both.
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
  std::vector<Outcome> starts;
  for (const Choices &part : parts) {
    found.reset();
    consider(combinations(first, part), most);
    if (found)
      starts.push_back(std::move(*found));
  }
  llvm::stable_sort(
      starts, [&](const Outcome &a, const Outcome &b) { return a.model.cost(rank) < b.model.cost(rank); });
  starts.erase(starts.begin() + std::min(starts.size(), MostStarts), starts.end());
  return starts;
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
  consider(groups, found->model.cost(rank));
}

/// One call's schedule at a time, as long as that helps.
void Search::better() {
  double cost = Unlimited;
  for (int round = 0; round < MostRounds && found->model.cost(rank) < cost; ++round) {
    cost = found->model.cost(rank);
    for (size_t i = 0; i < found->group.schedules.size(); ++i) {
      const Group &group = found->group;
      const size_t call = group.first + i, size = group.schedules.size();
      std::vector<Group> groups;
      for (const Schedule &schedule :
           neighbours(trials.calls()[call], schedules[call], group.schedules[i], size, machine)) {
        groups.push_back(group);
        groups.back().schedules[i] = schedule;
      }
      consider(groups, found->model.cost(rank));
    }
    tryLags();
  }
}

} // namespace daedalus::accelerator
