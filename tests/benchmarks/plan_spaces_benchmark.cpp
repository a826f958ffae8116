// Spaces of plans that are small enough to try every plan: how many trials each strategy of daedalus tune
// needs to come within 1% of the best plan. Exit status 1 where the learned strategy needs more than 5% of
// the plans, or more than half of the trials of chance, in the median of 10 seeds.
//
//   plan_spaces_benchmark [SPACE...]      numbers of spaces (all)
#include "PlanSearch/PlanTrials.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace daedalus::plansearch {
namespace {

constexpr uint64_t MostPlans = 20000;
constexpr uint64_t Seeds = 10;

/// Some neighbouring kernels of a network on a machine.
struct SpaceCase {
  const char *model, *machine;
  size_t first, count;
};

const SpaceCase cases[] = {
    {"convs/C5", "default", 0, 1}, {"digits", "default", 1, 2}, {"digits", "default", 3, 2},
    {"digits", "default", 4, 2},   {"digits", "default", 5, 2}, {"digits", "vta", 3, 2},
    {"digits", "vta", 4, 2},       {"digits", "vta", 5, 2},     {"digits", "tiny", 3, 2},
    {"digits", "tiny", 4, 2},      {"digits", "tiny", 5, 2},    {"digits", "tiny", 6, 2},
};

template <class Value> Value orStop(Result<Value> result) {
  if (!result) {
    std::fprintf(stderr, "plan_spaces_benchmark: error: %s\n", result.error().c_str());
    std::exit(1);
  }
  return std::move(*result);
}

class EnumeratedSpace {
public:
  explicit EnumeratedSpace(const SpaceCase &given)
      : given(given), machine(orStop(isa::loadMachine(given.machine))) {
    settings.of<accelerator::Settings>().machine = machine;
    CompileOptions options;
    options.settings = settings;
    options.verify = options.code = false;
    const std::string name = given.model;
    kernels = orStop(ModelKernels::of(name == "digits" ? DAEDALUS_SOURCE_DIR "/examples/digits/digits.onnx"
                                                       : DAEDALUS_BINARY_DIR "/models/" + name + ".onnx",
                                      options));
    open();
  }

  const Space &space() const { return span->space(); }

  void enumerate() {
    Point point(space().choices.size(), 0);
    for (uint64_t i = 0; i < space().size(); ++i) {
      if (const std::optional<double> cost = costOf(point)) {
        costs[point] = *cost;
        best = std::min(best, *cost);
      }
      for (size_t k = 0; k < point.size() && ++point[k] == space().choices[k]; ++k)
        point[k] = 0;
    }
  }

  double bestCost() const { return best; }
  double plannedCost() const { return costs.at(space().starts.front()); }
  size_t legal() const { return costs.size(); }

  /// Trials until a plan is within 1% of the best one.
  uint64_t trialsOf(Strategy strategy, uint64_t seed) const {
    Space fair = space();
    fair.starts.clear(); // the planner's plan is often there at once
    Search search(fair, strategy, seed);
    for (uint64_t trials = 1;; ++trials) {
      const std::vector<Point> points = search.ask(1);
      if (points.empty())
        return trials;
      const auto found = costs.find(points.front());
      search.tell(points.front(), found == costs.end() ? std::nullopt : std::optional<double>(found->second));
      if (found != costs.end() && found->second <= 1.01 * best)
        return trials;
    }
  }

private:
  void open() {
    trials.emplace(*kernels, settings, machine);
    stream = orStop(trials->plan()).spaces.front();
    TunedStream start;
    size_t kernel = 0;
    for (const TunedGroup &group : stream.planned)
      for (size_t i = 0; i < group.kernels.size(); ++i, ++kernel)
        if (kernel >= given.first && kernel < given.first + given.count) {
          start.push_back({{group.kernels[i]}, {group.schedules[i]}, 0});
          known.try_emplace(group.kernels[i], std::make_shared<Schedules>(stream.kernels[kernel]));
          for (const StreamSpace::Call &call : stream.kernels[kernel].calls)
            calls.emplace(call.function, call.number);
        }
    span.emplace(start, known, [this](const TunedStream &groups) {
      return stream.model->expectedCycles(given.first, groups);
    });
  }

  std::optional<double> costOf(const Point &point) { return trials->cyclesOf(calls, span->groupsOf(point)); }

  const SpaceCase given;
  const isa::Machine machine;
  TargetSettings settings;
  std::unique_ptr<ModelKernels> kernels;
  std::optional<PlanTrials> trials;
  StreamSpace stream;
  KnownSchedules known;
  KernelCalls calls;
  std::optional<SpanSpace> span;
  std::map<Point, double> costs; ///< of those that can run
  double best = HUGE_VAL;
};

uint64_t medianTrials(const EnumeratedSpace &space, Strategy strategy) {
  std::vector<uint64_t> trials;
  for (uint64_t seed = 1; seed <= Seeds; ++seed)
    trials.push_back(space.trialsOf(strategy, seed));
  std::sort(trials.begin(), trials.end());
  return (trials[Seeds / 2 - 1] + trials[Seeds / 2] + 1) / 2;
}

/// A row of the table; whether the learned strategy is as good as it has to be.
bool show(size_t number) {
  EnumeratedSpace space(cases[number]);
  const SpaceCase &one = cases[number];
  const uint64_t plans = space.space().size();
  if (plans > MostPlans) {
    std::printf("| %zu | %s, %zu from %zu | %s | %lu | too many |\n", number, one.model, one.count, one.first,
                one.machine, plans);
    return false;
  }
  space.enumerate();
  const uint64_t chance = medianTrials(space, Strategy::Random),
                 evolution = medianTrials(space, Strategy::Evolution),
                 learned = medianTrials(space, Strategy::Learned);
  std::printf("| %zu | %s, %zu from %zu | %s | %lu | %.0f | %+.2f%% | %lu | %lu | %lu | %.2f%% |\n", number,
              one.model, one.count, one.first, one.machine, plans, space.bestCost(),
              100 * (space.plannedCost() / space.bestCost() - 1), chance, evolution, learned,
              100.0 * double(learned) / double(plans));
  std::fflush(stdout);
  return double(learned) <= std::max(1.0, 0.05 * double(plans)) && (2 * learned <= chance || learned == 1);
}

} // namespace
} // namespace daedalus::plansearch

int main(int argc, char **argv) {
  std::printf("| space | kernels | machine | plans | best, cycles | planner | random | evolution | learned | "
              "of the plans |\n"
              "|---|---|---|---|---|---|---|---|---|---|\n");
  bool isGood = true;
  for (size_t i = 0; i < std::size(daedalus::plansearch::cases); ++i) {
    const bool isAsked = argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char *text) {
                           return std::strtoull(text, nullptr, 10) == i;
                         });
    if (isAsked)
      isGood = daedalus::plansearch::show(i) && isGood;
  }
  return isGood ? 0 : 1;
}
