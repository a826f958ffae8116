// Workers of several ranks, which are threads here that pass messages through memory: the answers of one
// rank.
#include "Explore/Job.h"
#include "Explore/RankMessages.h"
#include "Explore/RankedWorkers.h"

#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus::explore {
namespace {

using ::testing::HasSubstr;

/// A box for each rank: sockets for datagrams, which all ranks inherit.
class Post {
public:
  explicit Post(unsigned ranks) : boxes(ranks) {
    for (auto &box : boxes)
      if (socketpair(AF_UNIX, SOCK_DGRAM, 0, box.data()) != 0)
        std::abort();
  }
  ~Post() {
    for (const auto &box : boxes)
      for (const int end : box)
        close(end);
  }
  std::vector<std::array<int, 2>> boxes; ///< the end to read from, the end to write to
};

class PostMessages : public Messages {
public:
  PostMessages(Post &post, unsigned rank) : post(post), ownRank(rank) {}
  unsigned rank() const override { return ownRank; }
  unsigned size() const override { return static_cast<unsigned>(post.boxes.size()); }
  unsigned here() const override { return size(); }
  void send(unsigned to, std::string text) override {
    text.insert(text.begin(), static_cast<char>(ownRank));
    ASSERT_EQ(write(post.boxes[to][1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::optional<Message> receive() override {
    std::string text(1 << 18, '\0');
    const ssize_t size = recv(post.boxes[ownRank][0], text.data(), text.size(), MSG_DONTWAIT);
    if (size <= 0)
      return std::nullopt;
    return Message{static_cast<unsigned>(text[0]), text.substr(1, static_cast<size_t>(size) - 1)};
  }

private:
  Post &post;
  const unsigned ownRank;
};

const RankedWorkers::Description sweepOfThese = {{"space", "n"}};

/// Rank 0 of four and its post; the others, which end with it.
class RankedWorkersTest : public ::testing::Test {
protected:
  void TearDown() override {
    for (unsigned rank = 1; rank < first.size(); ++rank)
      first.send(rank, encode(Stop{}));
    for (const pid_t process : processes) {
      int status = 1;
      waitpid(process, &status, 0);
      EXPECT_EQ(status, 0) << "a rank that does not end by itself";
    }
  }
  void lead(unsigned rank, const std::function<void(Messages &)> &does) {
    processes.push_back(fork());
    if (processes.back() != 0)
      return;
    PostMessages messages(post, rank);
    does(messages);
    _exit(HasFailure());
  }
  void serveAll(const Work &work) {
    for (unsigned rank = 1; rank < first.size(); ++rank)
      lead(rank, [=](Messages &messages) { serveRank(messages, sweepOfThese, rank, work); });
  }
  Result<RankedWorkers> gather(const Work &work) {
    return RankedWorkers::gather(first, sweepOfThese, 1, work);
  }

  Post post{4};
  PostMessages first{post, 0};
  std::vector<pid_t> processes;
};

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

std::string cube(uint64_t task) {
  usleep(200); // so that no rank does all
  return std::string(task % 1000, 'x') + std::to_string(task * task * task);
}

TEST_F(RankedWorkersTest, AnswerEveryTaskOfEveryRun) {
  serveAll(cube);
  auto workers = gather(cube);
  ASSERT_TRUE(workers) << workers.error();
  for (const uint64_t tasks : {300u, 0u, 1u, 100u}) {
    const auto found = answersOf(*workers, tasks);
    ASSERT_EQ(found.size(), tasks);
    for (const auto &[task, answer] : found)
      EXPECT_EQ(answer, cube(task));
  }
}

TEST_F(RankedWorkersTest, EveryRankWorks) {
  const Work process = [](uint64_t) {
    usleep(20000);
    return std::to_string(getpid());
  };
  serveAll(process);
  auto workers = gather(process);
  ASSERT_TRUE(workers) << workers.error();
  std::set<std::string> processes;
  for (const auto &[task, answer] : answersOf(*workers, 60))
    processes.insert(answer);
  EXPECT_EQ(processes.size(), 1u + 1 + 2 + 3) << "of rank 0, 1, 2 and 3";
}

TEST_F(RankedWorkersTest, GiveUpATaskThatEndsThem) {
  const Work work = [](uint64_t task) {
    if (task % 50 == 7)
      kill(getpid(), SIGKILL);
    return cube(task);
  };
  serveAll(work);
  auto workers = gather(work);
  ASSERT_TRUE(workers) << workers.error();
  for (const auto &[task, answer] : answersOf(*workers, 100))
    EXPECT_EQ(answer, task % 50 == 7 ? "crashed" : cube(task));
}

TEST_F(RankedWorkersTest, StopAtAnError) {
  serveAll(cube);
  auto workers = gather(cube);
  ASSERT_TRUE(workers) << workers.error();
  uint64_t next = 0;
  const Result<void> run = workers->run([&] { return std::optional<uint64_t>(next++); },
                                        [](uint64_t task, const std::string &, bool) -> Result<void> {
                                          return task < 20 ? Result<void>() : error("the disk is full");
                                        });
  EXPECT_EQ(run ? "" : run.error(), "the disk is full");
}

TEST_F(RankedWorkersTest, ARankThatFailsIsNamed) {
  for (const unsigned rank : {1u, 3u})
    lead(rank, [](Messages &messages) { serveRank(messages, sweepOfThese, 1, cube); });
  lead(2, [](Messages &messages) { failRank(messages, "cannot read 'a.onnx'"); });
  const auto workers = gather(cube);
  ASSERT_FALSE(workers);
  EXPECT_THAT(workers.error(), ::testing::MatchesRegex("rank 2 on .*: cannot read 'a.onnx'"));
}

TEST_F(RankedWorkersTest, ARankOfAnotherSweepIsNamed) {
  for (const unsigned rank : {1u, 2u})
    lead(rank, [](Messages &messages) { serveRank(messages, sweepOfThese, 1, cube); });
  lead(3, [](Messages &messages) { serveRank(messages, {{"space", "bus_bytes"}}, 1, cube); });
  const auto workers = gather(cube);
  ASSERT_FALSE(workers);
  EXPECT_THAT(workers.error(), HasSubstr(" has another space than rank 0; give all machines the same files"));
}

Launch launchWith(std::map<std::string, std::string> variables) {
  return launchOf([&](const char *name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Job, LaunchersSayWhichRankThisIs) {
  EXPECT_EQ(launchWith({}).size, 1u);
  EXPECT_EQ(launchWith({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}).size, 1u) << "the script of sbatch";
  for (const auto &[rank, size] :
       std::vector<std::pair<std::string, std::string>>{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                        {"PMI_RANK", "PMI_SIZE"},
                                                        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
    const Launch launch = launchWith({{rank, "3"}, {size, "8"}});
    EXPECT_EQ(launch.rank, 3u) << rank;
    EXPECT_EQ(launch.size, 8u) << size;
  }
}

TEST(Job, OneProcessIsAlone) {
  const auto job = Job::join({0, 1}, "nothing.so");
  ASSERT_TRUE(job) << job.error();
  EXPECT_TRUE(job->isAlone());
  EXPECT_FALSE(job->isLed());
  EXPECT_EQ(job->here(), 1u);
}

TEST(Job, SeveralProcessesNeedMpi) {
  const auto job = Job::join({0, 4}, "nothing.so");
  ASSERT_FALSE(job);
  EXPECT_EQ(
      job.error().find("a launcher started 4 processes, which need MPI, and there is none (nothing.so: "),
      0u);
  EXPECT_THAT(job.error(), HasSubstr("; build daedalus with MPI, or start one process"));
}

} // namespace
} // namespace daedalus::explore
