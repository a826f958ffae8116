// See Planner.h. A dynamic program over the calls: the best simulated state behind the first k calls
// continues the best one behind k - 1, k - 2 or k - 3 by a group of one, two or three calls. It is greedy in
// that only one state is kept for each k (StreamModel::cost).

#include "Plan/Planner.h"

#include "Plan/StreamModel.h"
#include "Lowering/Tiler.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>
#include <set>

namespace daedalus::accelerator {
namespace {

constexpr size_t MostAlone = 10, MostTogether[] = {0, 0, 8, 3}; ///< schedules tried for a call, by group size
constexpr double MostSteps = 40000;                             ///< simulated alone for a call, in all
constexpr size_t MostCalls = 3;                                 ///< in a group

struct State {
  StreamModel model;
  Group group;         ///< that led here
  size_t previous = 0; ///< the state before
};

/// Whether GEMM has little to do with it.
bool isVectorWork(const KernelCall &call) {
  return !call.kernel.isWeighted() || call.kernel.diagonal;
}

/// Whether the next tile of `consumer` can follow: its inputs are there, and it is not ahead of neighbours
/// that it does not read.
bool mayFollow(const Tiler &consumer, const KernelCall &call, const Tiler &producer, const KernelCall &from,
               int64_t lag) {
  bool reads = false;
  for (auto [operand, slot] : llvm::enumerate(call.inputs)) {
    if (slot.root() != from.output.root())
      continue;
    reads = true;
    const Window &w = call.kernel.window;
    const bool isPart = slot.pitch || from.output.pitch; // of a wider tensor, whose channels count otherwise
    if (isPart && (w.h * w.w == 1 || w.oh * w.ow == 1) && !producer.done())
      return false;
    if (!producer.complete(lag).covers(consumer.needed(operand)))
      return false;
  }
  return reads || producer.done() || producer.emitted().covers(consumer.emitted());
}

/// How many tiles of a call stand between two of the call before, so that they spread evenly.
size_t perTileBefore(const Tiler &tiler, const Tiler &before) {
  return llvm::divideCeil(tiler.tiles().size(), before.tiles().size());
}

/// All tiles of a call with one schedule, emitted once for all plans that they are part of.
struct Script {
  Script(const KernelCall &call, uint32_t index, const isa::Machine &machine)
      : tiler(call, index, machine, program) {
    while (!tiler.done()) {
      tiler.emit();
      ends.push_back(program.ops.size());
    }
  }

  TileProgram program;
  Tiler tiler;
  std::vector<size_t> ends; ///< of the tiles, in the program
};

/// Tiles of a group's calls as a wavefront: the last call that can go on and has its turn does.
class Wavefront {
public:
  Wavefront(llvm::ArrayRef<Script *> scripts, llvm::ArrayRef<KernelCall> calls, int64_t lag)
      : scripts(scripts), calls(calls), lag(lag), next(scripts.size(), 0), turns(scripts.size(), 0) {
    for (Script *script : scripts) {
      script->tiler.rewind();
      firstBuffers.push_back(buffers);
      buffers += script->program.buffers.size();
    }
  }

  std::vector<Piece> run() {
    for (size_t i = scripts.size(); i > 0;) {
      if (!canGoOn(i - 1)) {
        --i;
        continue;
      }
      take(i - 1);
      if (i < scripts.size())
        turns[i] = 0;
      i = scripts.size();
    }
    return std::move(pieces);
  }

private:
  bool canGoOn(size_t i) const {
    const Tiler &tiler = scripts[i]->tiler;
    if (tiler.done())
      return false;
    if (i > 0 && !scripts[i - 1]->tiler.done() && turns[i] >= perTileBefore(tiler, scripts[i - 1]->tiler))
      return false;
    for (size_t before = 0; before < i; ++before)
      if (!mayFollow(tiler, calls[i], scripts[before]->tiler, calls[before], lag))
        return false;
    return true;
  }

  void take(size_t i) {
    const std::vector<size_t> &ends = scripts[i]->ends;
    const size_t tile = next[i]++;
    pieces.push_back({&scripts[i]->program, tile ? ends[tile - 1] : 0, ends[tile], firstBuffers[i]});
    scripts[i]->tiler.skip();
    ++turns[i];
  }

  llvm::ArrayRef<Script *> scripts;
  llvm::ArrayRef<KernelCall> calls; ///< of the group
  const int64_t lag;
  std::vector<size_t> next, turns; ///< tiles taken; since the last one of the call before
  std::vector<BufferId> firstBuffers;
  BufferId buffers = 0;
  std::vector<Piece> pieces;
};

/// Appends pieces to a program of its own.
void append(llvm::ArrayRef<Piece> pieces, TileProgram &program) {
  const BufferId base = program.buffers.size();
  size_t count = base;
  for (const Piece &piece : pieces)
    count = std::max(count, base + piece.firstBuffer + piece.program->buffers.size());
  program.buffers.resize(count);
  std::set<BufferId> copied;
  for (const Piece &piece : pieces) {
    if (copied.insert(piece.firstBuffer).second)
      llvm::copy(piece.program->buffers, program.buffers.begin() + base + piece.firstBuffer);
    for (TileOp op : piece.ops()) {
      for (BufferId *id : {&op.a, &op.b, &op.dst})
        *id = *id == NoBuffer ? NoBuffer : *id + base + piece.firstBuffer;
      program.ops.push_back(std::move(op));
    }
  }
}

/// Schedules for tiles that share the scratchpads with those of other calls, `size` in all: all channels of a
/// row of pixels before the next, by different numbers of rows.
std::vector<Schedule> sharing(const KernelCall &call, const RankedSchedules &ranked, size_t size,
                              const isa::Machine &machine) {
  std::vector<Schedule> chosen;
  const Window &w = call.kernel.window;
  const size_t most = MostTogether[size] * (call.kernel.diagonal ? 2 : 1);
  auto shareOf = [](const Schedule &s) { return (s.vector + 7) / 8; }; // none, half or all on VECTOR
  const int64_t inp = machine.rows(isa::Scope::Inp) / (2 * size), acc = machine.rows(isa::Scope::Acc) / 4;
  for (size_t place = 0; place < ranked.size(); ++place) {
    const Schedule s = ranked[place];
    const TileShape t = inputTile(call.kernel, s);
    if (t.rows * t.cols * t.blocks > inp || s.oh * s.ow * s.oc > acc)
      continue;
    const bool known = llvm::any_of(chosen, [&](const Schedule &other) {
      return (w.oh > 1 ? other.oh == s.oh : other.ow == s.ow) && shareOf(other) == shareOf(s);
    });
    if (s.order == dae::Order::Pixels && !known)
      chosen.push_back(s);
    if (chosen.size() == most)
      break;
  }
  return chosen;
}

class Planner {
public:
  Planner(std::vector<KernelCall> &calls, llvm::ArrayRef<RankedSchedules> schedules,
          llvm::ArrayRef<GivenGroup> given, const isa::Machine &machine)
      : calls(calls), schedules(schedules), machine(machine), best(calls.size() + 1),
        groupOf(calls.size(), nullptr), kept(calls.size()) {
    best[0] = State{StreamModel(machine), {}, 0};
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
        kept[end - MostCalls].clear();
    }
    for (size_t k = calls.size(); k > 0; k = best[k]->previous)
      plan.groups.insert(plan.groups.begin(), best[k]->group);
    plan.expectedCycles = best.back()->model.end();
    plan.tried = tried, plan.tiles = tiles;
    for (const Group &group : plan.groups) {
      std::vector<std::unique_ptr<Script>> made;
      append(interleaved(group, made), plan.program);
    }
    plan.program.ops.shrink_to_fit();
    return plan;
  }

private:
  void tryAll(size_t end) {
    tryAlone(end - 1);
    for (size_t size = 2; size <= std::min(MostCalls, end) && !groupOf[end - size]; ++size)
      if (mayInterleave(end - size, size))
        tryTogether(end - size, size);
  }

  void obey(const GivenGroup &given) {
    Group group{given.first, {}, given.lag};
    for (size_t call = given.first; call < given.first + given.size; ++call)
      group.schedules.push_back(schedules[call].front());
    consider(group);
  }

  bool mayInterleave(size_t first, size_t size) const {
    auto group = llvm::ArrayRef(calls).slice(first, size);
    return llvm::any_of(group, isVectorWork) && !llvm::all_of(group, isVectorWork);
  }

  /// Whether the tiles of so many calls are few enough to try them together: of very large ones their own
  /// hide most of the waiting.
  bool areFew(size_t first, size_t size) const {
    for (size_t call = first; call < first + size; ++call)
      if (stepsOf(call) > MostSteps / MostAlone)
        return false;
    return true;
  }

  /// Whether there are groups to try with a call in them.
  bool isTriedTogether(size_t call) const {
    for (size_t size = 2; size <= MostCalls; ++size)
      for (size_t first = call + 1 - std::min(size, call + 1); first <= call; ++first) {
        const auto given = llvm::ArrayRef(groupOf).drop_front(first).take_front(size);
        if (given.size() == size && llvm::none_of(given, [](const GivenGroup *group) { return group; }) &&
            mayInterleave(first, size) && areFew(first, size))
          return true;
      }
    return false;
  }

  double stepsOf(size_t call) const {
    const TileCounts tiles = tileCounts(calls[call].kernel, schedules[call].front(), machine);
    return tiles.pixels * tiles.channels * tiles.reductions;
  }

  void tryAlone(size_t call) {
    const size_t most = std::clamp<size_t>(MostSteps / stepsOf(call), 1, MostAlone);
    for (size_t i = 0; i < std::min(most, schedules[call].size()); ++i) {
      Schedule schedule = schedules[call][i];
      consider({call, {schedule}, 0});
      if (call > 0 || schedule.oc == 1)
        continue;
      schedule.ramp = true;
      consider({call, {schedule}, 0});
    }
    if (most == MostAlone)
      for (const Schedule &schedule : sharingOf(call, 2))
        consider({call, {schedule}, 0});
    // Anything else, where nothing of these found room beside what its layer keeps.
    for (size_t i = most; !best[call + 1] && i < schedules[call].size(); ++i)
      consider({call, {schedules[call][i]}, 0});
  }

  void tryTogether(size_t first, size_t size) {
    std::vector<std::vector<Schedule>> choices;
    if (!areFew(first, size))
      return;
    for (size_t i = 0; i < size; ++i)
      choices.push_back(sharingOf(first + i, size));
    Group group{first, std::vector<Schedule>(size), 1};
    combine(group, choices, 0);
    if (best[first + size] &&
        best[first + size]->previous == first) // other lags only for what is best with one
      for (int64_t lag : {0, 2, 3}) {
        group = best[first + size]->group;
        group.lag = lag;
        consider(group);
      }
  }

  void combine(Group &group, const std::vector<std::vector<Schedule>> &choices, size_t at) {
    if (at == choices.size())
      return consider(group);
    for (const Schedule &schedule : choices[at]) {
      group.schedules[at] = schedule;
      combine(group, choices, at + 1);
    }
  }

  /// The tiles of a group; `made` receives those that are not kept.
  std::vector<Piece> interleaved(const Group &group, std::vector<std::unique_ptr<Script>> &made) {
    std::vector<Script *> scripts;
    for (auto [i, schedule] : llvm::enumerate(group.schedules)) {
      const size_t call = group.first + i;
      calls[call].schedule = schedule;
      auto found = llvm::find_if(kept[call], [&](const Kept &k) { return k.schedule == schedule; });
      if (found != kept[call].end()) {
        if (!found->script)
          found->script = std::make_unique<Script>(calls[call], call, machine);
        scripts.push_back(found->script.get());
      } else {
        made.push_back(std::make_unique<Script>(calls[call], call, machine));
        scripts.push_back(made.back().get());
      }
    }
    return Wavefront(scripts, llvm::ArrayRef(calls).slice(group.first, scripts.size()), group.lag).run();
  }

  /// As sharing(), and where groups try them again and again their tiles are kept from now on.
  std::vector<Schedule> sharingOf(size_t call, size_t size) {
    auto [place, isNew] = shared.try_emplace({call, size});
    if (isNew) {
      place->second = sharing(calls[call], schedules[call], size, machine);
      const bool isKept = isTriedTogether(call);
      for (const Schedule &schedule : place->second)
        if (isKept && llvm::none_of(kept[call], [&](const Kept &k) { return k.schedule == schedule; }))
          kept[call].push_back({schedule, nullptr});
    }
    return place->second;
  }

  void consider(const Group &group) {
    std::vector<std::unique_ptr<Script>> made;
    const std::vector<Piece> pieces = interleaved(group, made);
    StreamModel model = best[group.first]->model;
    std::optional<State> &end = best[group.first + group.schedules.size()];
    const bool isLast = group.first + group.schedules.size() == calls.size();
    const auto ranked = isLast ? StreamModel::Rank::End : StreamModel::Rank::Score;
    const double most = end ? end->model.cost(ranked) : std::numeric_limits<double>::infinity();
    if (model.run(pieces, calls, ranked, most))
      end = State{std::move(model), group, group.first};
    ++tried;
    tiles += model.tilesOfLastRun();
  }

  std::vector<KernelCall> &calls;
  llvm::ArrayRef<RankedSchedules> schedules;
  const isa::Machine &machine;
  std::vector<std::optional<State>> best;  ///< behind the first k calls
  std::vector<const GivenGroup *> groupOf; ///< of each call; null where the planner chooses
  size_t largest = MostCalls;              ///< group that may continue a state
  struct Kept {
    Schedule schedule;
    std::unique_ptr<Script> script; ///< once it is asked for
  };
  std::vector<std::vector<Kept>> kept; ///< of each call
  std::map<std::pair<size_t, size_t>, std::vector<Schedule>> shared;
  uint64_t tried = 0, tiles = 0;
};

} // namespace

Plan planTiles(std::vector<KernelCall> &calls, llvm::ArrayRef<RankedSchedules> schedules,
               llvm::ArrayRef<GivenGroup> given, const isa::Machine &machine) {
  return Planner(calls, schedules, given, machine).run();
}

} // namespace daedalus::accelerator
