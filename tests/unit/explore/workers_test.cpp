// Workers: every task gets its answer, whoever is killed.
#include "Explore/ForkedWorkers.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <set>
#include <unistd.h>

namespace daedalus::explore {
namespace {

/// The answers to the tasks 0 to `tasks` - 1, by task; "crashed" where there was none.
std::map<uint64_t, std::string> answersOf(Workers &workers, uint64_t tasks) {
  std::map<uint64_t, std::string> found;
  uint64_t next = 0;
  const Result<void> run =
      workers.run([&] { return next < tasks ? std::optional<uint64_t>(next++) : std::nullopt; },
                  [&](uint64_t task, const std::string &answer, bool crashed) -> Result<void> {
                    EXPECT_TRUE(found.emplace(task, crashed ? "crashed" : answer).second)
                        << "task " << task << " twice";
                    return {};
                  });
  EXPECT_TRUE(run) << run.error();
  return found;
}

std::map<uint64_t, std::string> answers(unsigned count, uint64_t tasks, Work work) {
  ForkedWorkers workers(count, std::move(work));
  return answersOf(workers, tasks);
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

TEST(Workers, LiveOverSeveralRuns) {
  ForkedWorkers workers(2, [](uint64_t task) { return std::to_string(getpid()) + " " + square(task); });
  std::set<std::string> processes;
  for (const uint64_t tasks : {1u, 8u, 0u, 6u})
    for (const auto &[task, answer] : answersOf(workers, tasks)) {
      const size_t space = answer.find(' ');
      EXPECT_EQ(answer.substr(space + 1), square(task));
      processes.insert(answer.substr(0, space));
    }
  EXPECT_LE(processes.size(), 2u) << "workers were forked anew";
}

/// What a process keeps of its tasks in memory ends with it.
TEST(Workers, AreReplacedBehindSomeAnswers) {
  ForkedWorkers workers(1, [](uint64_t) { return std::to_string(getpid()); });
  std::set<std::string> processes;
  for (const auto &[task, answer] : answersOf(workers, 40))
    processes.insert(answer);
  EXPECT_EQ(processes.size(), 3u);
}

TEST(Workers, AreReplacedBetweenRuns) {
  ForkedWorkers workers(1, [](uint64_t) { return std::to_string(getpid()); });
  const std::string first = answersOf(workers, 1)[0];
  kill(std::stoi(first), SIGKILL);
  EXPECT_NE(answersOf(workers, 2)[1], first);
}

TEST(Workers, StopAtAnError) {
  ForkedWorkers workers(2, [](uint64_t task) {
    usleep(task == 0 ? 100000 : 0); // it is under way when task 1 fails
    return square(task);
  });
  uint64_t next = 0;
  const Result<void> run = workers.run(
      [&] { return std::optional<uint64_t>(next++); },
      [](uint64_t, const std::string &, bool) -> Result<void> { return error("the disk is full"); });
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error(), "the disk is full");
  EXPECT_EQ(answersOf(workers, 3).size(), 3u) << "answers of the run that failed come in the next one";
}

} // namespace
} // namespace daedalus::explore
