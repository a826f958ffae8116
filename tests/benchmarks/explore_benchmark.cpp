// What bounds a sweep when points cost nothing: how many points a second are written, and how many rank 0
// hands out and takes back.
//
//   build/release/bin/explore_benchmark write 100000 points.db
//   build/release/bin/explore_benchmark sweep 100000 points.db 8
//   mpirun -n 4 build/release/bin/explore_benchmark answer 1000000 - 2
#include "Explore/Job.h"
#include "Explore/RankedWorkers.h"
#include "Explore/Sweep.h"
#include "daedalus/support/decimal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/resource.h>

namespace daedalus::explore {
namespace {

constexpr size_t networks = 3;

[[noreturn]] void fail(const std::string &message) {
  std::cerr << "explore_benchmark: error: " << message << "\n";
  std::exit(1);
}

template <class T> T orFail(Result<T> result) {
  return result ? std::move(*result) : (fail(result.error()), std::move(*result));
}

/// As of three networks of millions of cycles.
PointResult made(uint64_t index) {
  const Cost cost{123456789 + index, 98765432, 55555555, 4567890123.125, 12};
  return {
      index, "default,n=16,bus_bytes=16,read_latency=" + std::to_string(index), "", {networks, {cost, ""}}};
}

/// Passes messages on and counts them.
class CountedMessages : public Messages {
public:
  explicit CountedMessages(Messages &messages) : messages(messages) {}
  unsigned rank() const override { return messages.rank(); }
  unsigned size() const override { return messages.size(); }
  unsigned here() const override { return messages.here(); }
  void send(unsigned to, std::string text) override {
    ++count;
    bytes += text.size();
    messages.send(to, std::move(text));
  }
  std::optional<Message> receive() override {
    std::optional<Message> message = messages.receive();
    count += message.has_value();
    bytes += message ? message->text.size() : 0;
    return message;
  }

  uint64_t count = 0, bytes = 0;

private:
  Messages &messages;
};

struct Options {
  std::string mode, file;
  uint64_t points, workers;
};

/// Seconds of a sweep over a space of the points.
double sweepOf(const Options &options, Workers &workers) {
  Space space;
  space.bases = {"default"};
  Space::Key &key = space.keys.emplace_back(Space::Key{"read_latency", {}});
  for (uint64_t i = 0; i < options.points; ++i)
    key.values.push_back(std::to_string(i));
  Database database = orFail(Database::open(options.file, {}, false));
  const auto begin = std::chrono::steady_clock::now();
  const Result<void> swept =
      sweep(space, pointsOf(space, 0, 0), networks, database, workers, [](uint64_t, uint64_t) {});
  if (!swept)
    fail(swept.error());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds until all points are answered, which nobody writes.
double answersOf(const Options &options, Workers &workers) {
  uint64_t next = 0;
  const auto begin = std::chrono::steady_clock::now();
  const Result<void> run =
      workers.run([&] { return next < options.points ? std::optional<uint64_t>(next++) : std::nullopt; },
                  [](uint64_t, const std::string &, bool) { return Result<void>(); });
  if (!run)
    fail(run.error());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Has all answers ready.
class NoWorkers : public Workers {
public:
  Result<void> run(const Next &next, const Done &done) override {
    while (const std::optional<uint64_t> task = next())
      if (Result<void> taken = done(*task, answerOf(made(*task)), false); !taken)
        return taken;
    return {};
  }
};

/// Of this process, without its workers.
double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

void measure(const Options &options, Workers &workers) {
  const double cpuBefore = cpuSeconds();
  const double seconds = options.mode == "answer" ? answersOf(options, workers) : sweepOf(options, workers);
  const double points = double(options.points);
  std::printf("%s: %.0f points in %.2f s, %.0f a second; %.1f us of CPU a point in this process; %zu bytes "
              "an answer\n",
              options.mode.c_str(), points, seconds, points / seconds,
              1e6 * (cpuSeconds() - cpuBefore) / points, answerOf(made(0)).size());
}

void run(const Options &options) {
  const auto work = [](uint64_t task) { return answerOf(made(task)); };
  Job job = orFail(Job::join(launchOf(std::getenv)));
  const auto own = static_cast<unsigned>(options.workers);
  if (job.isLed())
    return serveRank(job.others(), {}, own, work);
  NoWorkers none;
  ForkedWorkers forked(own, work);
  if (job.isAlone())
    return measure(options, options.mode == "write" ? static_cast<Workers &>(none) : forked);
  CountedMessages messages(job.others());
  RankedWorkers ranked = orFail(RankedWorkers::gather(messages, {}, 0, work)); // the others do all
  measure(options, ranked);
  std::printf("rank 0: %.3f messages and %.0f bytes a point\n",
              double(messages.count) / double(options.points),
              double(messages.bytes) / double(options.points));
}

} // namespace
} // namespace daedalus::explore

int main(int argc, char **argv) {
  using namespace daedalus;
  const std::string mode = argc > 3 ? argv[1] : "";
  const auto points = argc > 3 ? parseDecimal(argv[2]) : std::nullopt;
  const auto workers = argc > 4 ? parseDecimal(argv[4]) : 1;
  if (!points || !workers || (mode != "write" && mode != "sweep" && mode != "answer"))
    explore::fail("usage: explore_benchmark write|sweep|answer POINTS FILE.db [WORKERS]");
  explore::run({mode, argv[3], *points, *workers});
}
