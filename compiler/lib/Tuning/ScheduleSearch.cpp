// Each variant of a model has another candidate for all of its kernels at once, so that they run as they do
// in the model: behind each other, with the caches that the others leave. A variant and the best schedule so
// far run in turns. What seems better runs in turns with it once more, all together, before it is kept.
#include "Tuning/ScheduleSearch.h"
#include "Tuning/Costs.h"
#include "Tuning/Inputs.h"
#include "Tuning/ModelTiming.h"
#include "daedalus/Pipelines/Schedules.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/file.h"
#include "daedalus/support/inputs.h"
#include "daedalus/support/temporaries.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

namespace daedalus::tuning {
namespace {

constexpr double noticeable = 0.02; ///< of the time of all kernels
constexpr size_t mostKernels = 24;
constexpr int mostRounds = 2;
constexpr double leastGain = 0.04, leastConfirmed = 0.03; ///< parts of a kernel's time
constexpr TimingOptions tryOut{5, 0.02}, confirmation{11, 0.05}, counting{1, 0};

using Entries = std::map<std::string, ScheduleEntry>; ///< by keys

std::vector<ScheduleEntry> listOf(const Entries &entries) {
  std::vector<ScheduleEntry> list;
  for (const auto &[key, entry] : entries)
    list.push_back(entry);
  return list;
}

/// The seconds of each layer: the median of its batches, and the end of the fastest
/// quarter.
struct Seconds {
  std::vector<double> median, fast;
};

class Search {
public:
  Search(const std::string &model, CompileOptions options, const std::string &file, unsigned threads,
         const std::string &folder, const SearchPhase &phase)
      : model(model), options(std::move(options)), threads(threads),
        old(std::filesystem::exists(file) ? file : ""), scratch(folder + "/schedule.mlir"), phase(phase) {}

  Result<Searched> run() {
    phase("the model");
    if (Result<void> chosen = choose(); !chosen)
      return error(chosen.error());
    for (int round = 0; round < mostRounds && !kernels.empty(); ++round) {
      const Result<Entries> better = bestOfRound();
      if (!better)
        return error(better.error());
      phase("what seems better");
      const Result<bool> isAny = confirm(*better);
      if (!isAny)
        return error(isAny.error());
      if (!*isAny)
        break;
      if (Result<void> chosen = choose(); !chosen) // what is near to what was found
        return error(chosen.error());
    }
    return std::move(searched);
  }

  Result<std::string> text() { return scheduleWith(old, listOf(kept)); }

private:
  Result<package::Package> compiled(const Entries &entries) {
    options.schedule = old; // so that errors name the user's file
    if (!entries.empty()) {
      const Result<std::string> text = scheduleWith(old, listOf(entries));
      if (!text)
        return error(text.error());
      forgetInput(scratch); // of the variant before
      if (Result<void> written = writeFileAtomically(scratch, *text); !written)
        return error(written.error());
      options.schedule = scratch;
    }
    Result<Compiled> compiled = compileModel(model, options);
    if (!compiled)
      return error(compiled.error());
    return hostPart(std::move(compiled->package));
  }

  static double secondsOf(const ScheduledKernel &kernel, const std::vector<double> &layers) {
    double sum = 0;
    for (uint32_t layer : kernel.layers)
      sum += layer < layers.size() ? layers[layer] : 0;
    return sum;
  }

  /// What a kernel takes of the time that it took.
  static double partOf(const ScheduledKernel &kernel, const std::vector<double> &now,
                       const std::vector<double> &before) {
    return secondsOf(kernel, now) / std::max(secondsOf(kernel, before), 1e-9);
  }

  /// Packages in turns.
  Result<std::vector<Seconds>> measure(const std::vector<package::Package> &packages,
                                       const TimingOptions &timing) {
    std::vector<std::unique_ptr<runtime::Session>> sessions;
    std::vector<std::unique_ptr<TimedModel>> models;
    std::vector<Timed *> sides;
    for (const package::Package &package : packages) {
      runtime::SessionOptions session;
      session.threads = threads;
      session.verify = false; // the compiler has just proved it
      auto created = runtime::Session::create(package, session);
      if (!created)
        return error(created.error());
      sessions.push_back(std::move(*created));
      models.push_back(
          std::make_unique<TimedModel>(*sessions.back(), randomInputs(**sessions.back()->function(0))));
      sides.push_back(models.back().get());
    }
    const Result<std::vector<Timing>> whole = timeInTurns(sides, isCounted() ? counting : timing);
    if (!whole)
      return error(whole.error());
    clocks = models.front()->clocks();
    std::vector<Seconds> all;
    for (size_t i = 0; i < models.size(); ++i) {
      all.emplace_back();
      for (const Timing &layer : models[i]->layers((*whole)[i])) {
        all.back().median.push_back(layer.median());
        all.back().fast.push_back(quantile(layer.samples, 0.25));
      }
    }
    return all;
  }

  /// Whether a device counts instructions: one run says what others would, and takes long.
  bool isCounted() const {
    return std::any_of(clocks.begin(), clocks.end(), [](Clock clock) { return clock == Clock::None; });
  }

  std::map<Clock, double> sumsOf(const std::vector<double> &layers) const {
    std::map<Clock, double> sums;
    for (size_t i = 0; i < layers.size(); ++i)
      sums[clocks[i]] += layers[i];
    return sums;
  }

  Clock clockOf(const ScheduledKernel &kernel) const {
    return kernel.layers.empty() ? Clock::Host : clocks[kernel.layers.front()];
  }

  /// The kernels to search for, as they are scheduled now.
  Result<void> choose() {
    Result<package::Package> now = compiled(kept);
    if (!now)
      return error(now.error());
    base = std::move(*now);
    Result<std::vector<ScheduledKernel>> scheduled = scheduledKernels(model, options, threads);
    if (!scheduled)
      return error(scheduled.error());
    std::vector<ScheduledKernel> &all = *scheduled;
    const Result<std::vector<Seconds>> measured = measure({base}, tryOut);
    if (!measured)
      return error(measured.error());
    const std::vector<double> &layers = measured->front().median;
    std::map<Clock, double> sums = sumsOf(layers);
    std::stable_sort(all.begin(), all.end(), [&](const ScheduledKernel &a, const ScheduledKernel &b) {
      return secondsOf(a, layers) > secondsOf(b, layers);
    });
    kernels.clear();
    for (ScheduledKernel &kernel : all)
      if (kernels.size() < mostKernels && secondsOf(kernel, layers) > noticeable * sums[clockOf(kernel)] &&
          !kernel.near.empty())
        kernels.push_back(std::move(kernel));
    if (searched.kernels.empty())
      searched.others = sums;
    for (const ScheduledKernel &kernel : kernels)
      note(kernel, secondsOf(kernel, layers));
    return {};
  }

  /// The schedule with these entries against what is kept, which is the first.
  Result<std::vector<Seconds>> compare(const Entries &entries, const TimingOptions &timing) {
    const Result<package::Package> other = compiled(entries);
    if (!other)
      return error(other.error());
    return measure({base, *other}, timing);
  }

  /// A kernel is in the report from the round on in which it takes noticeable time.
  void note(const ScheduledKernel &kernel, double seconds) {
    if (!places.try_emplace(kernel.entry.key, searched.kernels.size()).second)
      return;
    const Clock clock = clockOf(kernel);
    searched.kernels.push_back({base.layers[kernel.layers.front()].node, "", seconds, seconds, clock});
    searched.others[clock] = std::max(searched.others[clock] - seconds, 0.0);
  }

  /// Of each kernel the candidate that takes least of the time of what is kept, if that is less.
  Result<Entries> bestOfRound() {
    Entries better;
    std::map<std::string, double> least;
    size_t most = 0;
    for (const ScheduledKernel &kernel : kernels)
      most = std::max(most, kernel.near.size());
    for (size_t variant = 0; variant < most; ++variant) {
      phase("variant " + std::to_string(variant + 1) + " of " + std::to_string(most));
      Entries entries = kept;
      for (const ScheduledKernel &kernel : kernels)
        if (variant < kernel.near.size())
          entries[kernel.entry.key] = kernel.near[variant];
      const Result<std::vector<Seconds>> layers = compare(entries, tryOut);
      if (!layers)
        return error(layers.error());
      for (const ScheduledKernel &kernel : kernels) {
        if (variant >= kernel.near.size())
          continue;
        const std::string &key = kernel.entry.key;
        const double part = partOf(kernel, (*layers)[1].median, (*layers)[0].median);
        if (part >= 1 - leastGain || (least.count(key) && part >= least[key]))
          continue;
        least[key] = part;
        better[key] = kernel.near[variant];
      }
    }
    return better;
  }

  /// Keeps what is better once more; whether anything is.
  Result<bool> confirm(const Entries &better) {
    if (better.empty())
      return false;
    Entries entries = kept;
    for (const auto &[key, entry] : better)
      entries[key] = entry;
    const Result<std::vector<Seconds>> layers = compare(entries, confirmation);
    if (!layers)
      return error(layers.error());
    bool isAny = false;
    for (const ScheduledKernel &kernel : kernels) {
      const auto found = better.find(kernel.entry.key);
      const double part = partOf(kernel, (*layers)[1].median, (*layers)[0].median);
      if (found == better.end() || part > 1 - leastConfirmed ||
          partOf(kernel, (*layers)[1].fast, (*layers)[0].fast) > 1 - leastConfirmed)
        continue;
      isAny = true;
      kept[found->first] = found->second;
      SearchedKernel &row = searched.kernels[places[found->first]];
      row.after *= part; // of the same turns
      row.entry = found->second.text;
    }
    return isAny;
  }

  const std::string model;
  CompileOptions options;
  const unsigned threads;
  const std::string old;
  const std::string scratch;
  const SearchPhase &phase;
  Entries kept; ///< what was found
  package::Package base;
  std::vector<Clock> clocks; ///< of its layers
  std::vector<ScheduledKernel> kernels;
  std::map<std::string, size_t> places; ///< in `searched`, by keys
  Searched searched;
};

std::string timeText(double seconds, Clock clock) {
  char text[48];
  if (clock == Clock::None)
    std::snprintf(text, sizeof text, "%.0f instructions", seconds * 1e9);
  else
    std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
  return text;
}

/// What all kernels of a clock take: "; the CPU's kernels 9.0 us -> 7.0 us on 2 threads".
std::string sumText(const Searched &searched, Clock clock, unsigned threads) {
  const auto others = searched.others.find(clock);
  double before = others == searched.others.end() ? 0 : others->second, after = before;
  for (const SearchedKernel &kernel : searched.kernels) {
    before += kernel.clock == clock ? kernel.before : 0;
    after += kernel.clock == clock ? kernel.after : 0;
  }
  if (before <= 0)
    return "";
  const std::string text = timeText(before, clock) + " -> " + timeText(after, clock);
  if (clock == Clock::Host)
    return "; the CPU's kernels " + text + " on " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
  return (clock == Clock::Device ? "; kernels on the device " : "; kernels on the emulated device ") + text;
}

} // namespace

uint64_t Searched::better() const {
  return static_cast<uint64_t>(std::count_if(kernels.begin(), kernels.end(),
                                             [](const SearchedKernel &k) { return !k.entry.empty(); }));
}

Result<Searched> searchSchedule(const std::string &model, CompileOptions options, const std::string &file,
                                unsigned threads, const SearchPhase &phase) {
  const auto folder = ScratchFolder::create();
  if (!folder)
    return error(folder.error());
  Search search(model, std::move(options), file, threads, (*folder)->path, phase);
  Result<Searched> searched = search.run();
  if (!searched)
    return searched;
  const Result<std::string> text = search.text();
  if (!text)
    return error(text.error());
  forgetInput(file);
  if (Result<void> written = writeFileAtomically(file, *text); !written)
    return error(written.error());
  return searched;
}

std::string searchText(const Searched &searched, const std::string &file, unsigned threads) {
  std::string lines, sums;
  for (Clock clock : {Clock::Device, Clock::None, Clock::Host})
    sums += sumText(searched, clock, threads);
  for (const SearchedKernel &kernel : searched.kernels)
    if (!kernel.entry.empty())
      lines += "  " + kernel.node + ": " + timeText(kernel.before, kernel.clock) + " -> " +
               timeText(kernel.after, kernel.clock) + "\n";
  return file + ": " + std::to_string(searched.better()) + " of " + std::to_string(searched.kernels.size()) +
         " kernels that take noticeable time are faster" + sums + "\n" + lines;
}

} // namespace daedalus::tuning
