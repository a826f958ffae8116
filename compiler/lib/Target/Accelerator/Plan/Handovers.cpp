// See Handovers.h. Those of the second call's schedules that promise most by a closed form are simulated; the
// best is bettered in steps of one size of its tiles.

#include "Plan/Handovers.h"

#include "Lowering/Handover.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace daedalus::accelerator {
namespace {

constexpr size_t MostTried = 160; ///< by the closed form, before the best is bettered
constexpr int MostRounds = 4;     ///< of betterments
constexpr int64_t Farthest = 3;   ///< of a size in one step
/// Of the cycles of the best other groups: what a first try may cost more, and what the best has to cost
/// less, for the state that a pair leaves is worse for what follows than its cost says.
constexpr double Slack = 0.02, LeastGain = 0.01;

} // namespace

std::optional<Outcome> Handovers::best(const StreamModel &before, size_t first, StreamModel::Rank rank,
                                       double most) {
  const std::vector<Group> groups = promising(first);
  if (groups.empty())
    return std::nullopt;
  const double cycles = std::isinf(most) ? 0 : most - before.cost(rank);
  std::optional<Outcome> found = trials.best(before, groups, rank, most + Slack * cycles);
  for (int round = 0; found && round < MostRounds; ++round) {
    std::optional<Outcome> better = trials.best(before, near(found->group), rank, found->model.cost(rank));
    if (!better)
      break;
    found = std::move(better);
  }
  return found && found->model.cost(rank) < most - LeastGain * cycles ? std::move(found) : std::nullopt;
}

std::vector<Group> Handovers::promising(size_t first) {
  if (trials.handoverOf(first).empty())
    return {};
  const Kernel &from = trials.handoverOf(first)[0].kernel, &to = trials.handoverOf(first)[1].kernel;
  const Result<RankedSchedules> &ranked = candidates.of(to, machine);
  std::vector<std::pair<double, Group>> found;
  for (size_t place = 0; ranked && place < ranked->size(); ++place)
    if (std::optional<Group> group = groupOf(first, (*ranked)[place]))
      found.emplace_back(estimateHandover(from, to, group->schedules[0], group->schedules[1], machine),
                         std::move(*group));
  llvm::stable_sort(found, [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Group> groups;
  for (auto &[cycles, group] : llvm::MutableArrayRef(found).take_front(std::min(found.size(), MostTried)))
    groups.push_back(std::move(group));
  return groups;
}

/// With one other size of the second call's tiles.
std::vector<Group> Handovers::near(const Group &group) {
  const Schedule &at = group.schedules[1];
  std::vector<Group> groups;
  for (int64_t Schedule::*size : {&Schedule::oh, &Schedule::ow, &Schedule::oc, &Schedule::ic})
    for (int64_t step = -Farthest; step <= Farthest; ++step) {
      Schedule s = at;
      s.*size += step;
      if (!step || s.*size < 1)
        continue;
      if (std::optional<Group> other = groupOf(group.first, s))
        groups.push_back(std::move(*other));
    }
  return groups;
}

std::optional<Group> Handovers::groupOf(size_t first, const Schedule &ofTo) {
  const llvm::ArrayRef<KernelCall> both = trials.handoverOf(first);
  const Kernel &to = both[1].kernel;
  const Reduction r = reductionOf(to, ofTo.fold, machine.n);
  if (ofTo.oh > to.window.oh || ofTo.ow > to.window.ow || ofTo.oc > blocksOf(to.window.oc, machine.n) ||
      ofTo.ic > r.blocks || !fits(to, ofTo, machine))
    return std::nullopt;
  const Result<Schedule> made = handoverSchedule(both[0].kernel, to, ofTo, machine);
  return made ? std::optional(Group{first, {*made, ofTo}, 0}) : std::nullopt;
}

} // namespace daedalus::accelerator
