// See PlanTuner.h.
#include "PlanSearch/PlanTuner.h"

#include "Report/Certificate.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"
#include "daedalus/runtime/bound.h"

#include <algorithm>
#include <chrono>

namespace daedalus::plansearch {
namespace {

constexpr size_t Batch = 4;          ///< trials between two lessons of the model
constexpr size_t MostKernels = 4;    ///< of a span
constexpr uint64_t Rounds = 2;       ///< through all spans
constexpr uint64_t LeastTrials = 16; ///< of a span in a round

using Clock = std::chrono::steady_clock;

class PlanTuner {
public:
  PlanTuner(ModelKernels &kernels, TargetSettings settings, const isa::Machine &machine,
            const TuneOptions &options, const TuneProgress &progress)
      : kernels(kernels), settings(std::move(settings)), machine(machine), options(options),
        progress(progress) {}

  Result<Tuning> run(const accelerator::Tuned &starts) {
    if (Result<void> begun = begin(); !begun)
      return error(begun.error());
    tryStarts(starts);
    planForOtherMemories();
    const uint64_t round = std::max(options.trials / Rounds, uint64_t(1));
    while (!isOver()) {
      const uint64_t before = tuning.tuned, from = tuning.trials;
      for (size_t stream = 0; stream < spaces.size(); ++stream)
        tuneStream(stream, from + round);
      if (options.trials == 0 && tuning.tuned == before)
        ++seed; // the same spans with other draws
      if (tuning.trials == from)
        break; // nothing is left to try
    }
    return std::move(tuning);
  }

private:
  Result<void> begin() {
    settings.of<accelerator::Settings>().keepsSpaces = true;
    const Result<Compiled> planned = kernels.compile(settings);
    settings.of<accelerator::Settings>().keepsSpaces = false;
    if (!planned)
      return error(planned.error());
    spaces = accelerator::spacesOf(*planned->states);
    if (spaces.empty())
      return error(
          "no kernel of the model runs on the accelerator, so there is no plan to tune; use --placement to "
          "see why");
    const Result<uint64_t> cycles =
        report::cyclesOf(planned->package, planned->package.functions.front(), machine);
    if (!cycles)
      return error(cycles.error());
    tuning.planned = tuning.tuned = *cycles;
    tuning.bound = runtime::boundOf(planned->package, machine);
    for (const StreamSpace &space : spaces) {
      tuning.streams.push_back(space.planned);
      for (const StreamSpace::Kernel &kernel : space.kernels)
        known.try_emplace(kernel.key, std::make_shared<Schedules>(kernel));
    }
    return {};
  }

  /// Streams of known plans in place of what the planner made.
  void tryStarts(const accelerator::Tuned &starts) {
    for (const TunedStream &start : starts.streams)
      for (size_t stream = 0; stream < spaces.size(); ++stream)
        tryStart(stream, start);
  }

  /// Whole, and later its spans.
  void tryStart(size_t stream, const TunedStream &start) {
    if (keysOf(start) != keysOf(tuning.streams[stream]) || isOver())
      return;
    for (const TunedGroup &group : start)
      for (size_t i = 0; i < group.kernels.size(); ++i)
        known.at(group.kernels[i])->indexOf(group.schedules[i]);
    accept(stream, start);
    alternatives.emplace_back(stream, start);
  }

  /// The planner decides otherwise where the memory is nearer or farther.
  void planForOtherMemories() {
    for (const double factor : {0.25, 0.5, 1.5, 2.0, 3.0}) {
      isa::Machine other = machine;
      other.readLatency = std::max<uint32_t>(1, static_cast<uint32_t>(factor * machine.readLatency));
      other.writeLatency = std::max<uint32_t>(1, static_cast<uint32_t>(factor * machine.writeLatency));
      TargetSettings changed = settings;
      changed.of<accelerator::Settings>().machine = other;
      changed.of<accelerator::Settings>().keepsSpaces = true;
      changed.of<accelerator::Settings>().tuned = nullptr;
      const Result<Compiled> planned = kernels.compile(changed);
      if (!planned)
        continue;
      const std::vector<StreamSpace> &others = accelerator::spacesOf(*planned->states);
      for (size_t stream = 0; stream < std::min(others.size(), spaces.size()); ++stream)
        tryStart(stream, others[stream].planned);
    }
  }

  static std::vector<std::string> keysOf(const TunedStream &stream) {
    std::vector<std::string> keys;
    for (const TunedGroup &group : stream)
      keys.insert(keys.end(), group.kernels.begin(), group.kernels.end());
    return keys;
  }

  /// What other plans have for so many kernels from one on, where their groups begin and end there.
  std::vector<TunedStream> alternativesTo(size_t stream, size_t firstKernel, size_t count) const {
    std::vector<TunedStream> found;
    for (const auto &[of, plan] : alternatives) {
      TunedStream part;
      size_t kernel = 0;
      for (const TunedGroup &group : plan) {
        if (kernel >= firstKernel && kernel + group.kernels.size() <= firstKernel + count)
          part.push_back(group);
        kernel += group.kernels.size();
      }
      if (of == stream && kernelsOf(part) == count)
        found.push_back(std::move(part));
    }
    return found;
  }

  bool isOver() const {
    const std::chrono::duration<double> spent = Clock::now() - began;
    return (options.trials && tuning.trials >= options.trials) ||
           (options.seconds > 0 && spent.count() >= options.seconds);
  }

  /// Each span, until so many trials were made.
  void tuneStream(size_t stream, uint64_t until) {
    for (size_t group = 0; group < tuning.streams[stream].size() && !isOver(); ++group) {
      const size_t left = tuning.streams[stream].size() - group;
      uint64_t share = LeastTrials;
      if (options.trials && until > tuning.trials)
        share = std::max(share, (until - tuning.trials) / left);
      if (options.trials && tuning.trials >= until)
        return;
      tuneSpan(stream, group, share);
    }
  }

  /// The groups of a stream from one on that make a span.
  size_t spanEnd(const TunedStream &stream, size_t first) const {
    size_t end = first + 1, count = stream[first].kernels.size();
    while (end < stream.size() && count + stream[end].kernels.size() <= MostKernels)
      count += stream[end++].kernels.size();
    return end;
  }

  void tuneSpan(size_t stream, size_t first, uint64_t most) {
    const TunedStream &groups = tuning.streams[stream];
    const size_t end = spanEnd(groups, first);
    const size_t before = first > 0 ? first - 1 : 0, behind = std::min(end + 1, groups.size());
    const TunedStream inside(groups.begin() + first, groups.begin() + end);
    const auto withNeighbours = [&](const TunedStream &changed) {
      TunedStream all(groups.begin() + before, groups.begin() + first);
      all.insert(all.end(), changed.begin(), changed.end());
      all.insert(all.end(), groups.begin() + end, groups.begin() + behind);
      return all;
    };
    const KernelCalls calls = callsOf(stream, before, behind);
    const size_t firstKernel = kernelsOf({groups.begin(), groups.begin() + before});
    SpanSpace span(inside, known, [&](const TunedStream &changed) {
      return spaces[stream].model->expectedCycles(firstKernel, withNeighbours(changed));
    });
    for (const TunedStream &other :
         alternativesTo(stream, kernelsOf({groups.begin(), groups.begin() + first}), kernelsOf(inside)))
      span.addStart(other);
    Search search(span.space(), options.strategy, options.seed + seed * 1000 + first);
    for (uint64_t trial = 0; trial < most && !isOver();) {
      const std::vector<Point> points = search.ask(std::min<uint64_t>(Batch, most - trial));
      if (points.empty())
        break;
      for (const Point &point : points)
        if (!isOver())
          search.tell(point, costOf(calls, withNeighbours(span.groupsOf(point))));
      trial += points.size();
    }
    if (search.best() && search.best()->first != span.space().starts.front() && !isOver())
      replace(stream, first, end, span.groupsOf(search.best()->first));
  }

  KernelCalls callsOf(size_t stream, size_t first, size_t end) const {
    const TunedStream &groups = tuning.streams[stream];
    size_t kernel = 0;
    KernelCalls calls;
    for (size_t group = 0; group < end; ++group)
      for (size_t i = 0; i < groups[group].kernels.size(); ++i, ++kernel)
        if (group >= first)
          for (const StreamSpace::Call &call : spaces[stream].kernels[kernel].calls)
            calls.emplace(call.function, call.number);
    return calls;
  }

  /// Of these calls alone, planned so; nothing where they cannot be.
  std::optional<double> costOf(const KernelCalls &calls, const TunedStream &plan) {
    accelerator::Tuned tuned{{plan}, {}};
    return cyclesOf(std::move(tuned), kernelsOf(plan), &calls);
  }

  static size_t kernelsOf(const TunedStream &plan) {
    size_t count = 0;
    for (const TunedGroup &group : plan)
      count += group.kernels.size();
    return count;
  }

  /// `expected`: kernels that have to have the tuned schedules.
  std::optional<double> cyclesOf(accelerator::Tuned tuned, size_t expected, const KernelCalls *calls) {
    progress(++tuning.trials, tuning.tuned);
    settings.of<accelerator::Settings>().tuned = std::make_shared<accelerator::Tuned>(std::move(tuned));
    const Result<Compiled> compiled =
        calls ? kernels.compilePart(*calls, settings) : kernels.compile(settings);
    if (!compiled || accelerator::tunedKernelsOf(*compiled->states) != expected)
      return std::nullopt;
    const Result<uint64_t> cycles =
        report::cyclesOf(compiled->package, compiled->package.functions.front(), machine);
    return cycles ? std::optional<double>(double(*cycles)) : std::nullopt;
  }

  void replace(size_t stream, size_t first, size_t end, const TunedStream &by) {
    TunedStream changed = tuning.streams[stream];
    changed.erase(changed.begin() + first, changed.begin() + end);
    changed.insert(changed.begin() + first, by.begin(), by.end());
    size_t kernel = 0;
    for (size_t group = 0; group < first; ++group)
      kernel += tuning.streams[stream][group].kernels.size();
    const uint64_t before = tuning.tuned;
    if (accept(stream, changed))
      tuning.improvements.push_back(
          {spaces[stream].kernels[kernel].calls.front().function,
           spaces[stream].kernels[kernel + kernelsOf(by) - 1].calls.front().function, before, tuning.tuned});
  }

  /// Keeps a plan with which the model is faster.
  bool accept(size_t stream, const TunedStream &changed) {
    accelerator::Tuned all{tuning.streams, {}};
    all.streams[stream] = changed;
    size_t expected = 0;
    for (const TunedStream &each : all.streams)
      expected += kernelsOf(each);
    const std::optional<double> cycles = cyclesOf(all, expected, nullptr);
    if (!cycles || *cycles >= double(tuning.tuned))
      return false;
    tuning.tuned = static_cast<uint64_t>(*cycles);
    tuning.streams[stream] = changed;
    return true;
  }

  ModelKernels &kernels;
  TargetSettings settings;
  const isa::Machine &machine;
  const TuneOptions &options;
  const TuneProgress &progress;
  const Clock::time_point began = Clock::now();
  std::vector<StreamSpace> spaces;
  KnownSchedules known;
  std::vector<std::pair<size_t, TunedStream>> alternatives; ///< other plans of whole streams
  uint64_t seed = 0;                                        ///< rounds that found nothing
  Tuning tuning;
};

} // namespace

Result<Tuning> tunePlans(ModelKernels &kernels, const TargetSettings &settings, const isa::Machine &machine,
                         const accelerator::Tuned &starts, const TuneOptions &options,
                         const TuneProgress &progress) {
  return PlanTuner(kernels, settings, machine, options, progress).run(starts);
}

} // namespace daedalus::plansearch
