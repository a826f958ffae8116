// See PlanTuner.h.
#include "PlanSearch/PlanTuner.h"

#include "PlanSearch/PlanTrials.h"
#include "PlanSearch/Streams.h"

#include <algorithm>
#include <chrono>

namespace daedalus::plansearch {
namespace {

constexpr size_t Batch = 4;          ///< trials between two lessons of the model
constexpr size_t MostKernels = 4;    ///< of a span
constexpr uint64_t Rounds = 2;       ///< through all spans
constexpr uint64_t LeastTrials = 16; ///< of a span in a round
/// Of the machine's latencies: those for which the planner's plans are tried.
constexpr double OtherLatencies[] = {0.25, 0.5, 1.5, 2.0, 3.0};

using Clock = std::chrono::steady_clock;

TunedStream slice(const TunedStream &plan, size_t first, size_t end) {
  return {plan.begin() + static_cast<ptrdiff_t>(first), plan.begin() + static_cast<ptrdiff_t>(end)};
}

class PlanTuner {
public:
  PlanTuner(PlanTrials &trials, const isa::Machine &machine, const TuneOptions &options,
            const TuneEvents &events)
      : trials(trials), machine(machine), options(options), events(events) {}

  Result<Tuning> run(const accelerator::Tuned &starts) {
    if (Result<void> begun = begin(); !begun)
      return error(begun.error());
    if (spaces.empty())
      return std::move(tuning);
    for (const TunedStream &start : starts.streams)
      for (size_t stream = 0; stream < spaces.size(); ++stream)
        tryStart(stream, start);
    tryOtherMemories();
    while (!isOver()) {
      const uint64_t before = tuning.tuned, from = tuning.trials;
      for (size_t stream = 0; stream < spaces.size(); ++stream)
        tuneStream(stream, from + std::max(options.trials / Rounds, uint64_t(1)));
      if (tuning.tuned == before)
        ++draws;
      if (tuning.trials == from)
        break; // nothing is left to try
    }
    if (!told)
      return error(told.error());
    return std::move(tuning);
  }

private:
  Result<void> begin() {
    Result<Planned> planned = trials.plan();
    if (!planned)
      return error(planned.error());
    spaces = std::move(planned->spaces);
    tuning.planned = tuning.tuned = planned->cycles;
    tuning.bound = planned->bound;
    for (const StreamSpace &space : spaces) {
      tuning.streams.push_back(space.planned);
      for (const StreamSpace::Kernel &kernel : space.kernels)
        known.try_emplace(kernel.key, std::make_shared<Schedules>(kernel));
    }
    return {};
  }

  /// The planner decides otherwise where the memory is nearer or farther.
  void tryOtherMemories() {
    for (const double factor : OtherLatencies) {
      const auto changed = [&](uint32_t latency) {
        return std::max<uint32_t>(1, static_cast<uint32_t>(factor * latency));
      };
      isa::Machine other = machine;
      other.readLatency = changed(machine.readLatency), other.writeLatency = changed(machine.writeLatency);
      const std::vector<TunedStream> plans = isOver() ? std::vector<TunedStream>() : trials.plansFor(other);
      for (size_t stream = 0; stream < std::min(plans.size(), spaces.size()); ++stream)
        tryStart(stream, plans[stream]);
    }
  }

  /// A plan of a stream from elsewhere: as a whole, and later its spans.
  void tryStart(size_t stream, const TunedStream &start) {
    if (keysOf(start) != keysOf(tuning.streams[stream]) || isOver() || !tryStream(stream, start))
      return; // of other kernels, or one that this machine cannot have
    for (const TunedGroup &group : start)
      for (size_t i = 0; i < group.kernels.size(); ++i)
        known.at(group.kernels[i])->indexOf(group.schedules[i]);
    alternatives.emplace_back(stream, start);
  }

  bool isOver() const {
    const std::chrono::duration<double> spent = Clock::now() - began;
    return !told || (options.trials && tuning.trials >= options.trials) ||
           (options.seconds > 0 && spent.count() >= options.seconds);
  }

  /// Span after span, until so many trials were made.
  void tuneStream(size_t stream, uint64_t until) {
    for (size_t group = 0; group < tuning.streams[stream].size() && !isOver(); ++group) {
      if (options.trials && tuning.trials >= until)
        return;
      const size_t left = tuning.streams[stream].size() - group;
      const uint64_t share = options.trials ? (until - tuning.trials) / left : 0;
      tuneSpan(stream, group, std::max(share, LeastTrials));
    }
  }

  /// Behind the groups of a stream from one on that make a span.
  static size_t spanEnd(const TunedStream &stream, size_t first) {
    size_t end = first + 1, count = stream[first].kernels.size();
    while (end < stream.size() && count + stream[end].kernels.size() <= MostKernels)
      count += stream[end++].kernels.size();
    return end;
  }

  void tuneSpan(size_t stream, size_t first, uint64_t most) {
    const TunedStream groups = tuning.streams[stream];
    const size_t end = spanEnd(groups, first), before = first > 0 ? first - 1 : 0;
    const TunedStream around = slice(groups, before, std::min(end + 1, groups.size()));
    const auto changedTo = [&](const TunedStream &span) {
      return withGroups(around, first - before, end - before, span);
    };
    const size_t firstKernel = kernelsOf(slice(groups, 0, before));
    SpanSpace span(slice(groups, first, end), known, [&](const TunedStream &changed) {
      return spaces[stream].model->expectedCycles(firstKernel, changedTo(changed));
    });
    addAlternatives(span, stream, kernelsOf(slice(groups, 0, first)), kernelsOf(slice(groups, first, end)));
    const KernelCalls calls = callsOf(stream, firstKernel, kernelsOf(around));
    Search search(span.space(), options.strategy, options.seed + draws * 1000 + first);
    for (uint64_t trial = 0; trial < most && !isOver();) {
      const std::vector<Point> points = search.ask(std::min<uint64_t>(Batch, most - trial));
      if (points.empty())
        break;
      trial += points.size();
      for (const Point &point : points)
        if (!isOver())
          search.tell(point, counted(trials.cyclesOf(calls, changedTo(span.groupsOf(point)))));
    }
    if (search.best() && search.best()->point != span.space().starts.front() && !isOver())
      replace(stream, first, end, span.groupsOf(search.best()->point));
  }

  void addAlternatives(SpanSpace &span, size_t stream, size_t firstKernel, size_t count) const {
    for (const auto &[of, plan] : alternatives)
      if (const TunedStream groups = groupsWithin(plan, firstKernel, count);
          of == stream && kernelsOf(groups) == count)
        span.addStart(groups);
  }

  /// What so many kernels of a stream run.
  KernelCalls callsOf(size_t stream, size_t first, size_t count) const {
    KernelCalls calls;
    for (size_t kernel = first; kernel < first + count; ++kernel)
      for (const StreamSpace::Call &call : spaces[stream].kernels[kernel].calls)
        calls.emplace(call.function, call.number);
    return calls;
  }

  std::optional<uint64_t> counted(std::optional<uint64_t> cycles) {
    events.tried(++tuning.trials);
    return cycles;
  }

  void replace(size_t stream, size_t first, size_t end, const TunedStream &by) {
    const size_t kernel = kernelsOf(slice(tuning.streams[stream], 0, first));
    const auto functionOf = [&](size_t number) {
      return spaces[stream].kernels[number].calls.front().function;
    };
    const uint64_t before = tuning.tuned;
    tryStream(stream, withGroups(tuning.streams[stream], first, end, by));
    if (tuning.tuned < before)
      tuning.improvements.push_back(
          {functionOf(kernel), functionOf(kernel + kernelsOf(by) - 1), before, tuning.tuned});
  }

  /// Keeps a plan with which the model is faster; whether it can run.
  bool tryStream(size_t stream, const TunedStream &changed) {
    std::vector<TunedStream> streams = tuning.streams;
    streams[stream] = changed;
    const std::optional<uint64_t> cycles = counted(trials.cyclesOf(streams));
    if (cycles && *cycles < tuning.tuned) {
      tuning.tuned = *cycles;
      tuning.streams = std::move(streams);
      told = events.improved(tuning);
    }
    return cycles.has_value();
  }

  PlanTrials &trials;
  const isa::Machine &machine;
  const TuneOptions &options;
  const TuneEvents &events;
  const Clock::time_point began = Clock::now();
  std::vector<StreamSpace> spaces;
  KnownSchedules known;
  std::vector<std::pair<size_t, TunedStream>> alternatives; ///< other plans of whole streams
  uint64_t draws = 0; ///< rounds that found nothing: the next one draws otherwise
  Tuning tuning;
  Result<void> told; ///< of what was found
};

} // namespace

Result<Tuning> tunePlans(ModelKernels &kernels, const TargetSettings &settings, const isa::Machine &machine,
                         const accelerator::Tuned &starts, const TuneOptions &options,
                         const TuneEvents &events) {
  PlanTrials trials(kernels, settings, machine);
  return PlanTuner(trials, machine, options, events).run(starts);
}

} // namespace daedalus::plansearch
