#include "Tuning/Timing.h"
#include "daedalus/support/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace daedalus::tuning {
namespace {

constexpr uint64_t mostRuns = 20000; // in a batch: of what takes a microsecond

/// Of all threads of the process.
double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Threads that wait for more work do so by running, for some milliseconds; they are let fall asleep.
void letThreadsSleep() {
  const timespec pause{0, 20'000'000};
  nanosleep(&pause, nullptr);
}

/// Runs until a batch has the time that it needs; what is measured until then does not count.
Result<uint64_t> findBatch(Timed &side, double batchSeconds) {
  uint64_t runs = 1;
  for (int tries = 0; tries < 4; ++tries) {
    auto took = side.seconds(runs);
    if (!took)
      return error(took.error());
    const uint64_t wanted = batchOf(*took / static_cast<double>(runs), batchSeconds);
    if (wanted <= runs)
      return runs;
    runs = wanted;
  }
  return runs;
}

Result<void> sample(Timed &side, Timing &timing) {
  letThreadsSleep();
  const double before = processorSeconds();
  Stopwatch wall;
  auto took = side.seconds(timing.batch);
  if (!took)
    return error(took.error());
  const double processors = (processorSeconds() - before) / wall.lap();
  timing.mostProcessors = std::max(timing.mostProcessors, processors);
  timing.leastProcessors = timing.samples.empty() ? processors : std::min(timing.leastProcessors, processors);
  timing.samples.push_back(*took / static_cast<double>(timing.batch));
  return {};
}

} // namespace

double quantile(const std::vector<double> &sorted, double part) {
  if (sorted.empty())
    return 0;
  const double place = part * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place), above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

double Timing::median() const {
  return quantile(samples, 0.5);
}

double Timing::spread() const {
  const double middle = median();
  return middle > 0 ? (quantile(samples, 0.75) - quantile(samples, 0.25)) / middle : 0;
}

uint64_t batchOf(double seconds, double batchSeconds) {
  const double runs = std::ceil(batchSeconds / std::max(seconds, 1e-9));
  return static_cast<uint64_t>(std::clamp(runs, 1.0, static_cast<double>(mostRuns)));
}

Result<std::vector<Timing>> timeInTurns(const std::vector<Timed *> &sides, const TimingOptions &options) {
  std::vector<Timing> timings(sides.size());
  for (size_t i = 0; i < sides.size(); ++i) {
    auto batch = findBatch(*sides[i], options.batchSeconds);
    if (!batch)
      return error(batch.error());
    timings[i].batch = *batch;
  }
  for (uint64_t repeat = 0; repeat < options.repeats; ++repeat)
    for (size_t i = 0; i < sides.size(); ++i)
      if (auto ok = sample(*sides[i], timings[i]); !ok)
        return error(ok.error());
  for (Timing &timing : timings)
    std::sort(timing.samples.begin(), timing.samples.end());
  return timings;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

} // namespace daedalus::tuning
