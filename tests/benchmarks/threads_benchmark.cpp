// What it takes to share a kernel's work among threads: jobs whose tasks do nothing, one a thread, and jobs
// of some work, of which two threads should take half as long as one.
//
//   build/release/bin/threads_benchmark --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
#include "thread_pool.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace daedalus::testing {
namespace {

using Clock = std::chrono::steady_clock;

void workFor(std::chrono::microseconds time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;)
    ;
}

/// Behind a pause of some microseconds each, in which threads keep looking or, where it is long, fall asleep.
void emptyJobs(benchmark::State &state) {
  const int64_t threads = state.range(0);
  const std::chrono::microseconds pause(state.range(1));
  auto pool = runtime::cpu::ThreadPool::create(static_cast<unsigned>(threads), 0);
  if (!pool)
    return state.SkipWithError(pool.error().c_str());
  const package::KernelContext &context = (*pool)->context();
  for (auto _ : state) {
    workFor(pause);
    const auto begin = Clock::now();
    context.parallelFor(
        &context, [](void *, int64_t, void *) {}, nullptr, threads);
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

/// Jobs of 16 tasks that take so many microseconds each, with 20 us of the caller's own work in between.
void jobs(benchmark::State &state) {
  static std::chrono::microseconds task;
  task = std::chrono::microseconds(state.range(1));
  auto pool = runtime::cpu::ThreadPool::create(static_cast<unsigned>(state.range(0)), 0);
  if (!pool)
    return state.SkipWithError(pool.error().c_str());
  const package::KernelContext &context = (*pool)->context();
  for (auto _ : state) {
    workFor(std::chrono::microseconds(20));
    const auto begin = Clock::now();
    context.parallelFor(
        &context, [](void *, int64_t, void *) { workFor(task); }, nullptr, 16);
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

BENCHMARK(emptyJobs)
    ->ArgNames({"threads", "pause_us"})
    ->ArgsProduct({{1, 2, 4}, {0, 10, 500}})
    ->Iterations(2000)
    ->UseManualTime();
BENCHMARK(jobs)
    ->ArgNames({"threads", "task_us"})
    ->ArgsProduct({{1, 2, 4}, {1, 10, 100}})
    ->Iterations(1000)
    ->UseManualTime();

} // namespace
} // namespace daedalus::testing

BENCHMARK_MAIN();
