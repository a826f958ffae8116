// See TunedPlans.h.

#include "Plan/TunedPlans.h"

#include "Lowering/Handover.h"
#include "Plan/Candidates.h"
#include "Plan/Trials.h"
#include "daedalus/Analysis/Fingerprint.h"
#include "daedalus/isa/field_limits.h"
#include "daedalus/support/hash.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace daedalus::accelerator {
namespace {

/// What a schedule of the kernel depends on.
std::string keyOf(const Kernel &kernel) {
  return hashText(fnv1a(rankingKey(kernel)));
}

TunedSchedule tunedOf(const Schedule &s) {
  const auto number = [](auto value) { return static_cast<int32_t>(value); };
  return {number(s.oh),     number(s.ow),   number(s.oc),    number(s.kh),
          number(s.kw),     number(s.ic),   number(s.fold),  number(s.order),
          number(s.vector), number(s.ramp), number(s.slide), number(s.handsOver)};
}

Schedule scheduleOf(const TunedSchedule &t) {
  return {t.rows,          t.columns,   t.channels,        t.windowRows,
          t.windowColumns, t.lanes,     dae::Fold(t.fold), dae::Order(t.order),
          t.vector,        t.ramp != 0, t.slide,           t.handsOver != 0};
}

class StreamPlanModel : public PlanModel {
public:
  StreamPlanModel(llvm::ArrayRef<KernelCall> planned, const isa::Machine &machine)
      : calls(planned.begin(), planned.end()), machine(machine), trials(calls, this->machine) {}

  std::optional<uint64_t> expectedCycles(size_t first, const TunedStream &groups) override {
    StreamModel before(machine);
    for (const TunedGroup &tuned : groups) {
      Group group{first, {}, tuned.lag};
      for (const TunedSchedule &schedule : tuned.schedules) {
        group.schedules.push_back(scheduleOf(schedule));
        if (isLong(calls[first++].kernel, group.schedules.back()))
          return std::nullopt;
      }
      if (!trials.isPossible(group))
        return std::nullopt;
      std::optional<Outcome> outcome =
          trials.best(before, group, StreamModel::Rank::End, std::numeric_limits<double>::infinity());
      if (!outcome)
        return std::nullopt;
      before = std::move(outcome->model);
    }
    return before.end();
  }

private:
  static constexpr double MostTiles = 4000; ///< of a kernel

  bool isLong(const Kernel &kernel, const Schedule &schedule) const {
    const TileCounts tiles = tileCounts(kernel, schedule, machine);
    return tiles.pixels * tiles.channels * tiles.reductions > MostTiles;
  }

  const std::vector<KernelCall> calls;
  const isa::Machine machine;
  Trials trials;
};

class TunedMatch {
public:
  TunedMatch(std::vector<KernelUse> &uses, llvm::ArrayRef<GivenGroup> given, const isa::Machine &machine)
      : uses(uses), isGiven(uses.size(), false), machine(machine) {
    for (const GivenGroup &group : given)
      std::fill_n(isGiven.begin() + static_cast<ptrdiff_t>(group.first), group.size, true);
    for (const KernelUse &use : uses)
      keys.push_back(keyOf(use.prepared.kernel));
  }

  std::vector<GivenGroup> run(const Tuned &tuned) {
    for (const TunedStream &stream : tuned.streams)
      if (isWhole(stream)) {
        for (const TunedGroup &group : stream)
          take(group);
        return std::move(taken);
      }
    while (place < uses.size()) {
      const auto found = llvm::find_if(tuned.groups, [&](const TunedGroup &group) { return matches(group); });
      if (found == tuned.groups.end())
        ++place;
      else
        take(*found);
    }
    return std::move(taken);
  }

private:
  bool isWhole(const TunedStream &stream) {
    place = 0;
    for (const TunedGroup &group : stream) {
      if (!matches(group))
        break;
      place += group.kernels.size();
    }
    const bool all = place == uses.size();
    place = 0;
    return all;
  }

  bool matches(const TunedGroup &group) const {
    if (group.kernels.empty() || group.kernels.size() > uses.size() - place)
      return false;
    for (auto [i, key] : llvm::enumerate(group.kernels))
      if (isGiven[place + i] || keys[place + i] != key || (i && group.schedules[i].handsOver))
        return false;
    if (group.schedules.front().handsOver)
      return handsOver(group);
    for (size_t i = 0; i < group.kernels.size(); ++i)
      if (!fits(uses[place + i].prepared.kernel, scheduleOf(group.schedules[i]), machine))
        return false;
    return true;
  }

  /// Whether the first of two kernels can hand over as the group says; both then have the windows for it.
  bool handsOver(const TunedGroup &group) const {
    if (group.kernels.size() != 2)
      return false;
    KernelCall &from = uses[place].prepared, &to = uses[place + 1].prepared;
    const Schedule ofFrom = scheduleOf(group.schedules[0]), ofTo = scheduleOf(group.schedules[1]);
    const Window before[] = {from.kernel.window, to.kernel.window};
    if (shapeForHandover(from, to)) {
      const Result<Schedule> expected = handoverSchedule(from.kernel, to.kernel, ofTo, machine);
      if (expected && *expected == ofFrom && fits(to.kernel, ofTo, machine))
        return true;
    }
    from.kernel.window = before[0], to.kernel.window = before[1];
    from.flat.reset(), to.flat.reset();
    return false;
  }

  void take(const TunedGroup &group) {
    taken.push_back({place, group.kernels.size(), group.lag});
    for (const TunedSchedule &schedule : group.schedules)
      uses[place++].schedules = RankedSchedules(scheduleOf(schedule));
  }

  std::vector<KernelUse> &uses;
  std::vector<std::string> keys;
  std::vector<bool> isGiven;
  const isa::Machine &machine;
  size_t place = 0;
  std::vector<GivenGroup> taken;
};

} // namespace

uint64_t takeTuned(std::vector<KernelUse> &uses, std::vector<GivenGroup> &given, const Tuned &tuned,
                   const isa::Machine &machine) {
  const std::vector<GivenGroup> taken = TunedMatch(uses, given, machine).run(tuned);
  given.insert(given.end(), taken.begin(), taken.end());
  llvm::sort(given, [](const GivenGroup &a, const GivenGroup &b) { return a.first < b.first; });
  uint64_t count = 0;
  for (const GivenGroup &group : taken)
    count += group.size;
  return count;
}

StreamSpace spaceOf(llvm::ArrayRef<KernelUse> uses, llvm::ArrayRef<KernelCall> planned,
                    llvm::ArrayRef<Group> groups, Planning &planning, const isa::Machine &machine) {
  StreamSpace space;
  for (auto [use, call] : llvm::zip_equal(uses, planned)) {
    StreamSpace::Kernel kernel{keyOf(call.kernel), {{use.name.symbol, use.name.call}}, {}, {}};
    if (use.taken)
      kernel.calls.push_back({use.taken->name.symbol, use.taken->name.call});
    if (const Result<RankedSchedules> &ranked = planning.candidates().of(call.kernel, machine))
      for (size_t i = 0; i < ranked->size(); ++i) {
        kernel.schedules.push_back(tunedOf((*ranked)[i]));
        kernel.estimates.push_back(estimateCycles(call.kernel, (*ranked)[i], machine));
      }
    space.kernels.push_back(std::move(kernel));
  }
  for (const Group &group : groups) {
    TunedGroup tuned{{}, {}, group.lag};
    for (auto [i, schedule] : llvm::enumerate(group.schedules)) {
      tuned.kernels.push_back(space.kernels[group.first + i].key);
      tuned.schedules.push_back(tunedOf(schedule));
    }
    space.planned.push_back(std::move(tuned));
  }
  space.model = std::make_shared<StreamPlanModel>(planned, machine);
  return space;
}

std::string textOf(const TunedGroup &group) {
  std::string text = std::to_string(group.lag) + "\n";
  for (auto [key, s] : llvm::zip_equal(group.kernels, group.schedules)) {
    text += key;
    for (const int32_t value : {s.rows, s.columns, s.channels, s.windowRows, s.windowColumns, s.lanes, s.fold,
                                s.order, s.vector, s.ramp, s.slide, s.handsOver})
      text += " " + std::to_string(value);
    text += "\n";
  }
  return text;
}

Result<TunedGroup> tunedGroup(const std::string &text) {
  std::istringstream lines(text);
  TunedGroup group;
  lines >> group.lag >> std::ws;
  for (std::string key; lines >> key;) {
    TunedSchedule s;
    lines >> s.rows >> s.columns >> s.channels >> s.windowRows >> s.windowColumns >> s.lanes >> s.fold >>
        s.order >> s.vector >> s.ramp >> s.slide >> s.handsOver;
    const bool isSchedule =
        lines && std::min({s.rows, s.columns, s.channels, s.windowRows, s.windowColumns, s.lanes}) > 0 &&
        s.fold >= 0 && s.fold <= 2 && s.order >= 0 && s.order <= 1 && s.vector >= 0 && s.vector <= 16 &&
        s.slide >= 0 && s.slide <= isa::maximumOf<isa::Gemm>("window") && s.handsOver >= 0 &&
        s.handsOver <= 1;
    if (!isSchedule)
      return error("'" + text +
                   "' is not a tuned group: expected a lag, then for each kernel its key and twelve numbers");
    group.kernels.push_back(std::move(key));
    group.schedules.push_back(s);
  }
  if (group.kernels.empty() || group.kernels.size() > MostInGroup || group.lag < 0)
    return error("'" + text +
                 "' is not a tuned group: expected a lag, then a line for each of one to three kernels");
  return group;
}

} // namespace daedalus::accelerator
