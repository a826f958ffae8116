// See Trials.h.

#include "Plan/Trials.h"

#include "Lowering/Handover.h"
#include "Plan/Wavefront.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace daedalus::accelerator {

class Trials::Race {
public:
  Race(StreamModel::Rank rank, double most) : rank(rank), most(most) {}

  const StreamModel::Rank rank;

  /// What a cost has to stay below to win; of equal ones the first group wins.
  double limitFor(size_t index) {
    const std::lock_guard guard(lock);
    if (!winner)
      return most;
    return index < winner->index ? std::nextafter(most, HUGE_VAL) : most;
  }

  void enter(StreamModel &&model, size_t index) {
    const std::lock_guard guard(lock);
    const double cost = model.cost(rank);
    if (winner && std::pair(cost, index) > std::pair(most, winner->index))
      return;
    most = cost;
    winner = Winner{std::move(model), index};
  }

  std::optional<Outcome> result(llvm::ArrayRef<Group> groups) {
    if (!winner)
      return std::nullopt;
    return Outcome{std::move(winner->model), groups[winner->index]};
  }

private:
  struct Winner {
    StreamModel model;
    size_t index; ///< of the group
  };

  std::mutex lock;
  double most; ///< the winner's cost, once there is one
  std::optional<Winner> winner;
};

Trials::Trials(llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine)
    : all(calls), machine(machine), last(calls.size()) {
  std::map<std::string, size_t> known;
  for (auto [number, call] : llvm::enumerate(calls)) {
    first.push_back(known.emplace(scriptKey(call), number).first->second);
    last[first.back()] = number;
  }
}

std::optional<Outcome> Trials::best(const StreamModel &before, llvm::ArrayRef<Group> groups,
                                    StreamModel::Rank rank, double most) {
  if (operations > MostOperations)
    forgetBefore(all.size());
  Race race(rank, most);
  processors.forEach(groups.size(), [&](size_t index) { tryOne(before, groups[index], index, race); });
  groupCount += groups.size();
  return race.result(groups);
}

void Trials::tryOne(const StreamModel &before, const Group &group, size_t index, Race &race) {
  const std::vector<const Script *> tried = scriptsOf(group);
  Busy work;
  for (const Script *script : tried)
    if (script)
      work += script->timing().work;
  const double limit = race.limitFor(index);
  if (before.leastCost(work, race.rank) >= limit)
    return;
  StreamModel model = before;
  const llvm::ArrayRef<KernelCall> calls = callsOf(group);
  if (model.run(tried, calls, wavefrontOf(tried, calls, group.lag), race.rank, limit))
    race.enter(std::move(model), index);
}

std::vector<Piece> Trials::orderOf(const Group &group) {
  return wavefrontOf(scriptsOf(group), callsOf(group), group.lag);
}

llvm::ArrayRef<KernelCall> Trials::callsOf(const Group &group) const {
  return all.slice(group.first, group.schedules.size());
}

std::vector<const Script *> Trials::scriptsOf(const Group &group) {
  std::vector<const Script *> found;
  size_t tiles = 0;
  const llvm::ArrayRef<Schedule> schedules = group.schedules;
  while (found.size() < schedules.size()) {
    const size_t place = found.size(), count = 1 + schedules[place].handsOver;
    found.push_back(scriptOf(group.first + place, schedules.slice(place, count)));
    tiles += found.back()->tiles().size();
    found.resize(place + count, nullptr);
  }
  const std::lock_guard guard(lock);
  tileCount += tiles;
  return found;
}

bool Trials::isPossible(const Group &group) {
  for (auto [place, schedule] : llvm::enumerate(group.schedules)) {
    if (!schedule.handsOver)
      continue;
    const llvm::ArrayRef<KernelCall> both = handoverOf(group.first + place);
    if (both.empty() || place + 1 == group.schedules.size())
      return false;
    const Result<Schedule> expected =
        handoverSchedule(both[0].kernel, both[1].kernel, group.schedules[place + 1], machine);
    if (!expected || !(*expected == schedule))
      return false;
  }
  return true;
}

llvm::ArrayRef<KernelCall> Trials::handoverOf(size_t call) {
  const std::lock_guard guard(lock);
  const auto [place, isNew] = handovers.try_emplace(call);
  if (!isNew || call + 1 >= all.size())
    return place->second;
  if (!handoverWindows(all[call], all[call + 1]))
    return {};
  place->second = {all[call], all[call + 1]};
  shapeForHandover(place->second[0], place->second[1]);
  for (KernelCall &each : place->second)
    each.kernel.weights = std::vector<int8_t>();
  return place->second;
}

const Script *Trials::scriptOf(size_t call, llvm::ArrayRef<Schedule> schedules) {
  std::pair key(first[call], schedules.vec());
  if (schedules.size() > 1 && first[key.first + 1] != first[call + 1]) // another one takes it there
    key.first = call;
  {
    const std::lock_guard guard(lock);
    if (auto found = scripts.find(key); found != scripts.end())
      return found->second.get();
  }
  const llvm::ArrayRef<KernelCall> calls = schedules.size() > 1 ? handoverOf(call) : all.slice(call, 1);
  auto made = std::make_unique<const Script>(calls, schedules, machine);
  const std::lock_guard guard(lock);
  auto [place, isNew] = scripts.try_emplace(key, std::move(made)); // another thread may have been faster
  if (isNew)
    operations += place->second->timing().ops.size();
  return place->second.get();
}

void Trials::forgetBefore(size_t call) {
  handovers.erase(handovers.begin(), handovers.lower_bound(call));
  for (auto it = scripts.begin(); it != scripts.end() && it->first.first < call;) {
    if (last[it->first.first] >= call) {
      ++it;
      continue;
    }
    operations -= it->second->timing().ops.size();
    it = scripts.erase(it);
  }
}

} // namespace daedalus::accelerator
