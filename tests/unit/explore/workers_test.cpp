// Workers: every task gets its answer, whoever is killed.
#include "Explore/Workers.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <set>
#include <unistd.h>

namespace daedalus::explore {
namespace {

/// `work` for the tasks 0 to `tasks` - 1; the answers by task, "crashed" where there was none.
std::map<uint64_t, std::string> answers(unsigned workers, uint64_t tasks,
                                        std::function<std::string(uint64_t)> work) {
  std::map<uint64_t, std::string> found;
  uint64_t next = 0;
  WorkerJobs jobs;
  jobs.work = std::move(work);
  jobs.next = [&] { return next < tasks ? std::optional<uint64_t>(next++) : std::nullopt; };
  jobs.done = [&](uint64_t task, const std::string &answer, bool crashed) -> Result<void> {
    EXPECT_TRUE(found.emplace(task, crashed ? "crashed" : answer).second) << "task " << task << " twice";
    return {};
  };
  const Result<void> run = runOnWorkers(workers, jobs);
  EXPECT_TRUE(run) << run.error();
  return found;
}

std::string square(uint64_t task) {
  return std::string(task % 100000, 'x') + std::to_string(task * task);
}

TEST(Workers, AnswerEveryTask) {
  for (const unsigned workers : {1u, 3u}) {
    const auto found = answers(workers, 200, square);
    ASSERT_EQ(found.size(), 200u);
    for (const auto &[task, answer] : found)
      EXPECT_EQ(answer, square(task));
  }
  EXPECT_TRUE(answers(2, 0, square).empty());
}

TEST(Workers, AreReplacedWhenTheyAreKilled) {
  const std::string marker = ::testing::TempDir() + "killed" + std::to_string(getpid());
  const auto found = answers(3, 60, [&](uint64_t task) {
    const std::string once = marker + std::to_string(task);
    if (task % 5 == 0 && access(once.c_str(), F_OK) != 0) {
      fclose(fopen(once.c_str(), "w"));
      kill(getpid(), SIGKILL);
    }
    std::remove(once.c_str());
    return square(task);
  });
  ASSERT_EQ(found.size(), 60u);
  for (const auto &[task, answer] : found)
    EXPECT_EQ(answer, square(task));
}

TEST(Workers, GiveUpATaskThatEndsThem) {
  const auto found = answers(2, 10, [](uint64_t task) {
    if (task == 7)
      _exit(1);
    return square(task);
  });
  ASSERT_EQ(found.size(), 10u);
  for (const auto &[task, answer] : found)
    EXPECT_EQ(answer, task == 7 ? "crashed" : square(task));
}

TEST(Workers, StopAtAnError) {
  uint64_t next = 0;
  WorkerJobs jobs;
  jobs.work = square;
  jobs.next = [&] { return std::optional<uint64_t>(next++); };
  jobs.done = [&](uint64_t task, const std::string &, bool) -> Result<void> {
    return task < 5 ? Result<void>() : error("the disk is full");
  };
  const Result<void> run = runOnWorkers(2, jobs);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error(), "the disk is full");
}

} // namespace
} // namespace daedalus::explore
