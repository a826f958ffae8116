// Each variant of a model has another candidate for all of its kernels at once, so that they run as they do
// in the model: behind each other, with the caches that the others leave. A variant and the best schedules so
// far run in turns. What seems better runs in turns with these once more, all together, before it is kept; at
// the end, what is kept runs in turns with the compiler's own schedules.
#include "Tuning/ScheduleSearch.h"

#include "Tuning/Variants.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

namespace daedalus::tuning {
namespace {

constexpr double noticeable = 0.02; ///< of the time of all kernels
constexpr size_t mostKernels = 24;
constexpr double leastGain = 0.04, leastConfirmed = 0.03, leastKept = 0.01; ///< parts of a kernel's time
constexpr TimingOptions tryOut{5, 0.02}, confirmation{11, 0.05};

Entries byKeys(const std::vector<ScheduleEntry> &list) {
  Entries entries;
  for (const ScheduleEntry &entry : list)
    entries.try_emplace(entry.key, entry);
  return entries;
}

class Search {
public:
  Search(const std::string &model, CompileOptions options, const ScheduleStarts &starts,
         const ScheduleSearchOptions &how, const SearchEvents &events)
      : variants(model, std::move(options), how.threads, how.seed), starts(starts), how(how), events(events),
        random(how.seed), kept(byKeys(starts.found)) {}

  Result<Searched> run() {
    Result<package::Package> own = variants.compiled({});
    if (!own)
      return error(own.error());
    byDefault = std::move(*own);
    while (true) {
      if (Result<void> chosen = choose(); !chosen)
        return error(chosen.error());
      if (kernels.empty() || isOver())
        break;
      const Result<Entries> better = bestOfRound();
      if (!better)
        return error(better.error());
      const Result<bool> isAny = confirm(*better);
      if (!isAny)
        return error(isAny.error());
      if (!*isAny)
        break; // else what is near to what was found
    }
    return settle();
  }

private:
  bool isOver() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    return (how.trials && searched.trials >= how.trials) || (how.seconds > 0 && spent.count() >= how.seconds);
  }

  /// What a kernel takes of the time that it took.
  static double partOf(const ScheduledKernel &kernel, const std::vector<double> &now,
                       const std::vector<double> &before) {
    return LayerTimes::of(kernel, now) / std::max(LayerTimes::of(kernel, before), 1e-9);
  }

  std::map<Clock, double> sumsOf(const std::vector<double> &layers) const {
    std::map<Clock, double> sums;
    for (size_t i = 0; i < layers.size(); ++i)
      sums[variants.clocksOfLayers()[i]] += layers[i];
    return sums;
  }

  /// The kernels to search for, as they are scheduled now.
  Result<void> choose() {
    Result<package::Package> now =
        kept.empty() ? Result<package::Package>(byDefault) : variants.compiled(kept);
    if (!now)
      return error(now.error());
    base = std::move(*now);
    Result<std::vector<ScheduledKernel>> scheduled = variants.kernels(kept);
    if (!scheduled)
      return error(scheduled.error());
    all = std::move(*scheduled);
    const Result<std::vector<LayerTimes>> measured = variants.inTurns(byDefault, base, tryOut);
    if (!measured)
      return error(measured.error());
    takeLongest((*measured)[1].median);
    return {};
  }

  void takeLongest(const std::vector<double> &layers) {
    std::map<Clock, double> sums = sumsOf(layers);
    std::stable_sort(all.begin(), all.end(), [&](const ScheduledKernel &a, const ScheduledKernel &b) {
      return LayerTimes::of(a, layers) > LayerTimes::of(b, layers);
    });
    kernels.clear();
    for (const ScheduledKernel &kernel : all)
      if (kernels.size() < mostKernels && (how.section.empty() || kernel.entry.section == how.section) &&
          LayerTimes::of(kernel, layers) > noticeable * sums[variants.clockOf(kernel)]) {
        longest.insert(kernel.entry.key);
        kernels.push_back(kernel);
        order(kernels.back());
      }
    const auto isLast = [](const ScheduledKernel &kernel) { return kernel.near.empty(); };
    kernels.erase(std::remove_if(kernels.begin(), kernels.end(), isLast), kernels.end());
  }

  /// In which its candidates are tried: those that are known from elsewhere first.
  void order(ScheduledKernel &kernel) {
    std::shuffle(kernel.near.begin(), kernel.near.end(), random);
    for (const ScheduleEntry &other : starts.others)
      if (other.key == kernel.entry.key && other.text != kernel.entry.text)
        kernel.near.insert(kernel.near.begin(), other);
  }

  /// The model with these schedules against what is kept, which is the first.
  Result<std::vector<LayerTimes>> compare(const Entries &entries, const TimingOptions &timing) {
    const Result<package::Package> other = variants.compiled(entries);
    if (!other)
      return error(other.error());
    return variants.inTurns(base, *other, timing);
  }

  /// Of each kernel the candidate that takes least of the time of what is kept, if that is less.
  Result<Entries> bestOfRound() {
    Entries better;
    std::map<std::string, double> least;
    size_t most = 0;
    for (const ScheduledKernel &kernel : kernels)
      most = std::max(most, kernel.near.size());
    for (size_t variant = 0; variant < most && !isOver(); ++variant) {
      Entries entries = kept;
      for (const ScheduledKernel &kernel : kernels)
        if (variant < kernel.near.size())
          entries[kernel.entry.key] = kernel.near[variant];
      const Result<std::vector<LayerTimes>> times = compare(entries, tryOut);
      if (!times)
        return error(times.error());
      events.tried(++searched.trials);
      for (const ScheduledKernel &kernel : kernels) {
        if (variant >= kernel.near.size())
          continue;
        const double part = partOf(kernel, (*times)[1].median, (*times)[0].median);
        const auto known = least.try_emplace(kernel.entry.key, 1 - leastGain).first;
        if (part >= known->second)
          continue;
        known->second = part;
        better[kernel.entry.key] = kernel.near[variant];
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
    const Result<std::vector<LayerTimes>> times = compare(entries, confirmation);
    if (!times)
      return error(times.error());
    std::vector<SearchedKernel> confirmed;
    for (const ScheduledKernel &kernel : kernels) {
      const auto found = better.find(kernel.entry.key);
      if (found == better.end() || !isFaster(kernel, *times, 1 - leastConfirmed))
        continue;
      kept[found->first] = found->second;
      confirmed.push_back(searchedOf(kernel, found->second, LayerTimes::of(kernel, (*times)[0].median),
                                     LayerTimes::of(kernel, (*times)[1].median)));
    }
    if (confirmed.empty())
      return false;
    if (Result<void> told = events.improved(confirmed); !told)
      return error(told.error());
    return true;
  }

  static bool isFaster(const ScheduledKernel &kernel, const std::vector<LayerTimes> &times, double part) {
    return partOf(kernel, times[1].median, times[0].median) < part &&
           partOf(kernel, times[1].fast, times[0].fast) < part;
  }

  /// What is kept against the compiler's own schedules: what is not faster is left out, and everything of a
  /// clock on which the model is not.
  Result<Searched> settle() {
    const Result<package::Package> last = variants.compiled(kept);
    if (!last)
      return error(last.error());
    const Result<std::vector<LayerTimes>> times = variants.inTurns(byDefault, *last, confirmation);
    if (!times)
      return error(times.error());
    searched.before = sumsOf((*times)[0].median);
    std::map<Clock, double> together = sumsOf((*times)[1].median);
    for (const ScheduledKernel &kernel : all)
      if (const Clock clock = variants.clockOf(kernel);
          !isFaster(kernel, *times, 1 - leastKept) || together[clock] >= searched.before[clock])
        kept.erase(kernel.entry.key);
    searched.after = searched.before;
    for (const ScheduledKernel &kernel : all)
      note(kernel, *times);
    return std::move(searched);
  }

  void note(const ScheduledKernel &kernel, const std::vector<LayerTimes> &times) {
    const std::string &key = kernel.entry.key;
    const auto found = kept.find(key);
    const bool isFound = found != kept.end();
    const bool wasKnown = std::any_of(starts.found.begin(), starts.found.end(),
                                      [&](const ScheduleEntry &start) { return start.key == key; });
    if (kernel.layers.empty() || (!isFound && !wasKnown && !longest.count(key)))
      return;
    ScheduleEntry entry = isFound ? found->second : ScheduleEntry{key, "", kernel.entry.section};
    const double before = LayerTimes::of(kernel, times[0].median),
                 after = isFound ? LayerTimes::of(kernel, times[1].median) : before;
    searched.after[variants.clockOf(kernel)] -= before - after;
    searched.kernels.push_back(searchedOf(kernel, std::move(entry), before, after));
  }

  SearchedKernel searchedOf(const ScheduledKernel &kernel, ScheduleEntry entry, double before,
                            double after) const {
    return {byDefault.layers[kernel.layers.front()].node,
            std::move(entry),
            kernel.device,
            before,
            after,
            variants.clockOf(kernel)};
  }

  Variants variants;
  const ScheduleStarts &starts;
  const ScheduleSearchOptions how;
  const SearchEvents &events;
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::mt19937_64 random;
  Entries kept; ///< what was found
  package::Package byDefault, base;
  std::vector<ScheduledKernel> all, kernels; ///< of the model; to search for
  std::set<std::string> longest;             ///< of these kernels in any round, by keys
  Searched searched;
};

} // namespace

uint64_t Searched::better() const {
  return static_cast<uint64_t>(std::count_if(kernels.begin(), kernels.end(),
                                             [](const SearchedKernel &k) { return !k.entry.text.empty(); }));
}

Result<Searched> searchSchedules(const std::string &model, CompileOptions options,
                                 const ScheduleStarts &starts, const ScheduleSearchOptions &how,
                                 const SearchEvents &events) {
  return Search(model, std::move(options), starts, how, events).run();
}

} // namespace daedalus::tuning
