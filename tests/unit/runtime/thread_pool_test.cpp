// The threads behind CPU kernels: each task once, memory of their own, results that are there, sleep when
// there is nothing to do.

#include "thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace daedalus;
using runtime::cpu::ThreadPool;
using ::testing::HasSubstr;

namespace {

using Clock = std::chrono::steady_clock;
using Body = std::function<void(int64_t task, void *scratch)>;

std::unique_ptr<ThreadPool> pool(unsigned threads, uint64_t workerBytes = 0) {
  auto created = ThreadPool::create(threads, workerBytes);
  EXPECT_TRUE(created) << created.error();
  return std::move(*created);
}

/// As a kernel does.
void parallelFor(const ThreadPool &pool, int64_t tasks, Body body) {
  const package::KernelContext &context = pool.context();
  context.parallelFor(
      &context,
      [](void *closure, int64_t task, void *scratch) { (*static_cast<Body *>(closure))(task, scratch); },
      &body, tasks);
}

void sleepFor(std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
}

/// Whether all threads of this process but the one that asks fall asleep before long, as the system sees it.
bool allOthersSleep() {
  const std::string self = std::to_string(gettid());
  for (int look = 0; look < 100; ++look) {
    sleepFor(std::chrono::milliseconds(10));
    bool asleep = true;
    for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string line;
      std::getline(std::ifstream(thread.path() / "stat"), line);
      const size_t state = line.rfind(')') + 2;
      asleep &= thread.path().filename() == self || (state < line.size() && line[state] == 'S');
    }
    if (asleep)
      return true;
  }
  return false;
}

/// Returns when so many threads are in it at once, or says that they never were.
class Meeting {
public:
  explicit Meeting(int expected) : expected(expected) {}
  bool join() {
    ++present;
    for (const auto end = Clock::now() + std::chrono::seconds(30); Clock::now() < end;
         std::this_thread::yield())
      if (present == expected)
        return true;
    return false;
  }

private:
  const int expected;
  std::atomic<int> present{0};
};

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (unsigned threads : {1, 2, 3, 5, 16}) {
    auto some = pool(threads);
    for (int64_t tasks : {-1, 0, 1, 2, 3, 7, 16, 64, 1000, 4099}) {
      std::vector<std::atomic<int>> runs(std::max<int64_t>(tasks, 0));
      parallelFor(*some, tasks, [&](int64_t task, void *) { ++runs.at(task); });
      for (size_t task = 0; task < runs.size(); ++task)
        ASSERT_EQ(runs[task], 1) << task << " of " << tasks << " on " << threads;
    }
  }
}

TEST(ThreadPool, IsAPlainLoopOnOneThread) {
  auto one = pool(1, 64);
  std::vector<int64_t> order;
  const auto caller = std::this_thread::get_id();
  parallelFor(*one, 5, [&](int64_t task, void *scratch) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_NE(scratch, nullptr);
    order.push_back(task);
  });
  EXPECT_EQ(order, (std::vector<int64_t>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, WorksOnAsManyTasksAtOnceAsThereAreThreads) {
  for (unsigned threads : {2, 4}) {
    auto some = pool(threads);
    for (int run = 0; run < 10; ++run) {
      Meeting meeting(static_cast<int>(threads));
      std::atomic<int> met{0};
      parallelFor(*some, threads, [&](int64_t, void *) { met += meeting.join(); });
      EXPECT_EQ(met, static_cast<int>(threads));
    }
  }
}

// What bodies wrote without any synchronisation of theirs is there for the caller and for the next job.
TEST(ThreadPool, ResultsAreThereThousandsOfTimesInARow) {
  auto some = pool(3);
  std::array<int64_t, 7> runs{};
  for (int64_t job = 0; job < 7 * 3000; ++job) {
    parallelFor(*some, job % 7 + 1, [&](int64_t task, void *) { ++runs[task]; });
    if (job % 2000 == 0)
      sleepFor(std::chrono::milliseconds(1)); // so that threads have to be woken
  }
  for (int64_t task = 0; task < 7; ++task)
    EXPECT_EQ(runs[task], 3000 * (7 - task)) << task;
}

TEST(ThreadPool, ScratchBelongsToOneTaskAtATime) {
  for (uint64_t bytes : {1, 64, 100, 70000}) {
    auto some = pool(4, bytes);
    EXPECT_GE(some->context().workerBytes, bytes);
    std::atomic<int> wrong{0};
    parallelFor(*some, 400, [&](int64_t task, void *scratch) {
      auto *mine = static_cast<volatile uint8_t *>(scratch);
      wrong += reinterpret_cast<uintptr_t>(scratch) % 64 != 0;
      for (int pass = 0; pass < 3; ++pass)
        for (uint64_t i = 0; i < bytes; ++i) {
          wrong += pass && mine[i] != static_cast<uint8_t>(task);
          mine[i] = static_cast<uint8_t>(task);
        }
    });
    EXPECT_EQ(wrong, 0) << bytes;
  }
  parallelFor(*pool(2), 10, [](int64_t, void *scratch) { EXPECT_EQ(scratch, nullptr); });
}

TEST(ThreadPool, PoolsDoNotDisturbEachOther) {
  std::array<std::atomic<int64_t>, 4> sums{};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      auto own = pool(caller + 1, 8);
      for (int run = 0; run < 500; ++run)
        parallelFor(*own, 9, [&](int64_t task, void *) { sums[caller] += task; });
    });
  for (std::thread &caller : callers)
    caller.join();
  for (const auto &sum : sums)
    EXPECT_EQ(sum, 500 * 36);
}

// As where an external function runs another package.
TEST(ThreadPool, RunsInsideOfATaskOfAnotherPool) {
  auto outer = pool(3);
  std::atomic<int64_t> sum{0};
  parallelFor(*outer, 6, [&](int64_t, void *) {
    auto inner = pool(2);
    for (int run = 0; run < 20; ++run)
      parallelFor(*inner, 5, [&](int64_t task, void *) { sum += task; });
  });
  EXPECT_EQ(sum, 6 * 20 * 10);
}

TEST(ThreadPool, SleepsWhenThereIsNothingToDo) {
  auto some = pool(4);
  parallelFor(*some, 100, [](int64_t, void *) {});
  EXPECT_TRUE(allOthersSleep());
}

TEST(ThreadPool, CallerSleepsWhileAnotherThreadFinishes) {
  auto two = pool(2);
  const auto caller = std::this_thread::get_id();
  Meeting meeting(2);
  parallelFor(*two, 2, [&](int64_t, void *) {
    EXPECT_TRUE(meeting.join());
    if (std::this_thread::get_id() != caller) {
      EXPECT_TRUE(allOthersSleep());
    }
  });
}

TEST(ThreadPool, SaysThatThereIsNotEnoughMemory) {
  const auto refused = ThreadPool::create(1024, uint64_t(1) << 46);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(),
            "the package's CPU kernels need 72057594037927936 bytes of memory on 1024 threads, which the "
            "system does not have; run the package on fewer threads");
  EXPECT_THAT(ThreadPool::create(1, uint64_t(1) << 56).error(),
              HasSubstr("on 1 thread, which the system does not have"));
}

// In a process of its own with room for a few stacks.
TEST(ThreadPool, SaysThatThereAreNotEnoughThreads) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need all of the address space";
#endif
  const pid_t child = fork();
  if (child == 0) {
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + (uint64_t(40) << 20);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    const auto refused = ThreadPool::create(1024, 0);
    _exit(!refused && refused.error().find(
                          "the system cannot start 1024 threads for the package's CPU kernels: ") == 0
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

} // namespace
