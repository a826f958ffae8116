// See Planner.h. A dynamic program over the calls: the best simulated state behind the first k calls
// continues the best one behind k - 1, k - 2 or k - 3 by a group of one, two or three calls, or by two of
// which the first hands over to the second. It is greedy in that only one state is kept for each k
// (StreamModel::cost). What of a group of several is good is bettered step by step.

#include "Plan/Planner.h"

#include "Lowering/Handover.h"
#include "Plan/Ahead.h"
#include "Plan/Handovers.h"
#include "Plan/Search.h"
#include "Plan/Sharing.h"
#include "Plan/Wavefront.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace daedalus::accelerator {
namespace {

constexpr size_t MostAlone = 10;    ///< schedules tried for a call alone
constexpr double MostSteps = 40000; ///< simulated alone for a call, in all
/// How much longer than what is best so far a group may be, before it is bettered.
constexpr double Slack = 0.1;

using BestOutcome = std::optional<Outcome>;

/// Whether GEMM has little to do with it.
bool isVectorWork(const KernelCall &call) {
  return !call.kernel.isWeighted() || call.kernel.diagonal;
}

class Planner {
public:
  Planner(std::vector<KernelCall> &calls, llvm::ArrayRef<RankedSchedules> schedules,
          llvm::ArrayRef<GivenGroup> given, Candidates &candidates, const isa::Machine &machine)
      : calls(calls), schedules(schedules), machine(machine), best(calls.size() + 1),
        groupOf(calls.size(), nullptr), trials(calls, machine), neighbours(calls, schedules, machine),
        handovers(trials, candidates, machine) {
    best[0] = Outcome{StreamModel(machine), {}};
    for (const GivenGroup &group : given) {
      for (size_t call = group.first; call < group.first + group.size; ++call)
        groupOf[call] = &group;
      largest = std::max(largest, group.size);
    }
  }

  Plan run() {
    Plan plan;
    for (size_t end = 1; end <= calls.size(); ++end) {
      const GivenGroup *given = groupOf[end - 1];
      if (given && end < given->first + given->size)
        continue; // nothing ends inside of it
      if (given)
        obey(*given);
      else
        tryAll(end);
      if (!best[end]) {
        plan.withoutRoom = given ? given->first : end - 1;
        return plan;
      }
      if (end >= largest && best[end - largest]) // no later group continues it
        best[end - largest]->model = StreamModel(machine);
      if (end >= MostCalls)
        forgetBefore(end - MostCalls + 1);
    }
    plan.groups = groupsUpTo(calls.size());
    plan.tried = trials.groupsTried(), plan.tiles = trials.tilesTried();
    const Ahead order = orderOf(plan.groups);
    for (const Group &group : plan.groups)
      take(group);
    plan.expectedCycles = order.end().value_or(0);
    for (const Chain &chain : order.chains())
      append(llvm::ArrayRef(calls).slice(chain.first, chain.calls), chain.first, chain.pieces, machine,
             plan.program);
    plan.program.ops.shrink_to_fit();
    return plan;
  }

private:
  /// The group's schedules, and the windows of what hands over.
  void take(const Group &group) {
    for (auto [i, schedule] : llvm::enumerate(group.schedules)) {
      const size_t call = group.first + i;
      calls[call].schedule = schedule;
      if (schedule.handsOver)
        shapeForHandover(calls[call], calls[call + 1]);
    }
  }

  void forgetBefore(size_t call) {
    trials.forgetBefore(call);
    neighbours.forgetBefore(call);
  }

  /// The best groups of the calls before `end`.
  std::vector<Group> groupsUpTo(size_t end) const {
    std::vector<Group> groups;
    for (size_t k = end; k > 0; k = best[k]->group.first)
      groups.insert(groups.begin(), best[k]->group);
    return groups;
  }

  /// The order of all groups. The last call is often a product of one pixel that waits for nothing but its
  /// weights: it stands alone, with another schedule, where more of these are loaded ahead then.
  Ahead orderOf(std::vector<Group> &groups) {
    if (groups.empty())
      return Ahead(trials, machine);
    const size_t last = calls.size() - 1;
    const Ahead first = orderBefore(llvm::ArrayRef(groups).drop_back());
    Ahead order = first;
    order.add(groups.back(), StreamModel::Rank::End);
    if (groupOf[last] || !best[last] || !calls[last].kernel.isWeighted())
      return order;
    const std::vector<Group> others = groupsUpTo(last);
    const Ahead before = groups.back().first == last ? first : orderBefore(others);
    for (const Group &group : alone(last)) {
      Ahead other = before;
      other.add(group, StreamModel::Rank::End);
      if (!other.end() || (order.end() && *other.end() >= *order.end()))
        continue;
      order = std::move(other);
      groups = others;
      groups.push_back(group);
    }
    return order;
  }

  /// Of groups that another one follows.
  Ahead orderBefore(llvm::ArrayRef<Group> groups) {
    Ahead order(trials, machine);
    for (const Group &group : groups)
      order.add(group, StreamModel::Rank::Score);
    return order;
  }

  void tryAll(size_t end) {
    tryAlone(end - 1);
    for (size_t size = 2; size <= std::min(MostCalls, end) && !groupOf[end - size]; ++size)
      if (mayInterleave(end - size, size))
        tryTogether(end - size, size);
    if (end >= 2 && !groupOf[end - 2])
      tryHandover(end - 2);
  }

  void tryHandover(size_t first) {
    const size_t end = first + 2;
    const auto rank = rankAt(end);
    const double most = best[end] ? best[end]->model.cost(rank) : Unlimited;
    if (BestOutcome found = handovers.best(best[first]->model, first, rank, most))
      best[end] = std::move(found);
  }

  void obey(const GivenGroup &given) {
    Group group{given.first, {}, given.lag};
    for (size_t call = given.first; call < given.first + given.size; ++call)
      group.schedules.push_back(schedules[call].front());
    consider(group);
  }

  /// Whether there is work for both VECTOR and GEMM, in tiles that are few enough to try them together: of
  /// very large calls their own hide most of the waiting.
  bool mayInterleave(size_t first, size_t size) const {
    auto group = llvm::ArrayRef(calls).slice(first, size);
    bool may = llvm::any_of(group, isVectorWork) &&
               llvm::any_of(group, [](const KernelCall &call) { return call.kernel.isWeighted(); });
    for (size_t call = first; call < first + size; ++call)
      may = may && stepsOf(call) <= MostSteps / MostAlone;
    return may;
  }

  double stepsOf(size_t call) const {
    const TileCounts tiles = tileCounts(calls[call].kernel, schedules[call].front(), machine);
    return tiles.pixels * tiles.channels * tiles.reductions;
  }

  void tryAlone(size_t call) {
    consider(alone(call));
    // Anything else, where nothing of these found room beside what its layer keeps.
    for (size_t i = mostAlone(call); !best[call + 1] && i < schedules[call].size(); ++i)
      consider(Group{call, {schedules[call][i]}, 0});
  }

  /// How many of its schedules are tried for a call alone.
  size_t mostAlone(size_t call) const { return std::clamp<size_t>(MostSteps / stepsOf(call), 1, MostAlone); }

  /// A call alone with each of those.
  std::vector<Group> alone(size_t call) {
    const size_t most = mostAlone(call);
    std::vector<Group> groups;
    for (size_t i = 0; i < std::min(most, schedules[call].size()); ++i) {
      Schedule schedule = schedules[call][i];
      groups.push_back({call, {schedule}, 0});
      if (call > 0 || schedule.oc == 1)
        continue;
      schedule.ramp = true;
      groups.push_back({call, {schedule}, 0});
    }
    if (most == MostAlone)
      for (const Schedule &schedule : sharingOf(call, 2, dae::Order::Pixels))
        groups.push_back({call, {schedule}, 0});
    return groups;
  }

  void tryTogether(size_t first, size_t size) {
    for (dae::Order order : {dae::Order::Pixels, dae::Order::Channels}) {
      if (order == dae::Order::Channels && !followByChannels(first, size))
        continue;
      Choices choices;
      for (size_t i = 0; i < size; ++i)
        choices.push_back(sharingOf(first + i, size, order));
      search(first, choices);
    }
  }

  bool followByChannels(size_t first, size_t size) const {
    for (size_t call = first + 1; call < first + size; ++call)
      if (!followsByChannels(calls[call], calls[call - 1]))
        return false;
    return true;
  }

  /// The best group of these schedules, bettered, where it is near enough to the best so far.
  void search(size_t first, const Choices &choices) {
    const size_t end = first + choices.size();
    const auto rank = rankAt(end);
    const StreamModel &before = best[first]->model;
    double most = Unlimited;
    if (best[end])
      most = (1 + Slack) * best[end]->model.cost(rank) - Slack * before.cost(rank);
    BestOutcome found = Search(trials, neighbours, before, rank).run(first, choices, most);
    if (found && (!best[end] || found->model.cost(rank) < best[end]->model.cost(rank)))
      best[end] = std::move(found);
  }

  /// As sharing().
  const std::vector<Schedule> &sharingOf(size_t call, size_t size, dae::Order order) {
    auto [place, isNew] = shared.try_emplace({call, size, order});
    if (isNew)
      place->second = sharing(calls[call], schedules[call], order, size, machine);
    return place->second;
  }

  StreamModel::Rank rankAt(size_t end) const {
    return end == calls.size() ? StreamModel::Rank::End : StreamModel::Rank::Score;
  }

  /// Groups of the same calls.
  void consider(llvm::ArrayRef<Group> groups) {
    const size_t first = groups.front().first, end = first + groups.front().schedules.size();
    const auto rank = rankAt(end);
    const double most = best[end] ? best[end]->model.cost(rank) : Unlimited;
    if (BestOutcome found = trials.best(best[first]->model, groups, rank, most))
      best[end] = std::move(found);
  }

  std::vector<KernelCall> &calls;
  llvm::ArrayRef<RankedSchedules> schedules;
  const isa::Machine &machine;
  std::vector<BestOutcome> best;           ///< behind the first k calls
  std::vector<const GivenGroup *> groupOf; ///< of each call; null where the planner chooses
  size_t largest = MostCalls;              ///< group that may continue a state
  Trials trials;
  Neighbours neighbours;
  Handovers handovers;
  std::map<std::tuple<size_t, size_t, dae::Order>, std::vector<Schedule>> shared;
};

} // namespace

Plan planTiles(std::vector<KernelCall> &calls, llvm::ArrayRef<RankedSchedules> schedules,
               llvm::ArrayRef<GivenGroup> given, Candidates &candidates, const isa::Machine &machine) {
  return Planner(calls, schedules, given, candidates, machine).run();
}

} // namespace daedalus::accelerator
