// What a process leaves behind when a signal ends it: nothing.
#include "temporary_folder.h"

#include "daedalus/support/process.h"
#include "daedalus/support/temporaries.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <memory>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace daedalus {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

bool eventually(const std::function<bool()> &condition) {
  for (unsigned tries = 0; tries < 500; ++tries, std::this_thread::sleep_for(10ms))
    if (condition())
      return true;
  return false;
}

TEST(Temporary, GoesWithItsObject) {
  const test::TemporaryFolder folder;
  const fs::path tree = folder.path / "tree";
  {
    const Temporary temporary(tree.string());
    fs::create_directories(tree / "a/b");
    std::ofstream(tree / "a/b/file") << "text";
    fs::create_directory_symlink(folder.path, tree / "link");
    std::ofstream(folder.path / "beside") << "text";
  }
  EXPECT_FALSE(fs::exists(tree));
  EXPECT_TRUE(fs::exists(folder.path / "beside"));
}

TEST(Temporary, StaysWhenKept) {
  const test::TemporaryFolder folder;
  {
    Temporary temporary((folder.path / "file").string());
    std::ofstream(folder.path / "file") << "text";
    temporary.keep();
  }
  EXPECT_TRUE(fs::exists(folder.path / "file"));
}

/// A process with a half-built folder of 500 files and a program that writes into it for ever.
[[noreturn]] void work(const fs::path &tree) {
  for (int number : {SIGHUP, SIGINT, SIGTERM, SIGALRM})
    signal(number, SIG_DFL); // whatever the tests were started with
  alarm(60);
  cleanUpOnSignals();
  const Temporary temporary(tree.string());
  fs::create_directories(tree / "deep");
  for (int i = 0; i < 500; ++i)
    std::ofstream(tree / "deep" / std::to_string(i)) << i;
  const std::string script =
      "cd '" + tree.string() + "'; (while :; do echo x > again; sleep 0.01; done) & echo $! > started; wait";
  (void)runProgram({"/bin/sh", "-c", script}, (tree / "log").string());
  std::_Exit(99);
}

class Signal : public testing::TestWithParam<int> {};

TEST_P(Signal, LeavesNothingBehind) {
  const test::TemporaryFolder folder;
  const fs::path tree = folder.path / "tree";
  const pid_t child = fork();
  if (child == 0)
    work(tree);
  pid_t grandchild = 0;
  EXPECT_TRUE(eventually([&] {
    std::ifstream(tree / "started") >> grandchild;
    return grandchild > 0 && fs::exists(tree / "again");
  }));
  kill(child, GetParam());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == GetParam()) << status;
  EXPECT_FALSE(fs::exists(tree));
  const auto ended = [&] { // gone, or a zombie that nobody has waited for
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string id, name, state;
    return !(stat >> id >> name >> state) || state == "Z";
  };
  EXPECT_TRUE(eventually(ended));
}
INSTANTIATE_TEST_SUITE_P(Ending, Signal, testing::Values(SIGHUP, SIGINT, SIGTERM));

/// As where the disk is full: there is no page behind what is mapped.
TEST(LostFile, EndsWithASentenceAndLeavesNothing) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "mapped").string(), said = (folder.path / "said").string();
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGBUS, SIG_DFL);
    cleanUpOnSignals("program");
    const Temporary temporary(path);
    const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
    dup2(open(said.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    auto *bytes = static_cast<volatile char *>(mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, file, 0));
    *bytes = 1;
    std::_Exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_FALSE(fs::exists(path));
  std::string line;
  std::getline(std::ifstream(said), line);
  EXPECT_EQ(line.find("program: error: a file that is mapped"), 0u) << line;
}

TEST(SignalsHeld, WaitUntilTheFolderIsKnown) {
  const test::TemporaryFolder folder;
  const fs::path tree = folder.path / "tree";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    cleanUpOnSignals();
    auto held = std::make_unique<SignalsHeld>();
    fs::create_directory(tree);
    raise(SIGINT);
    const Temporary temporary(tree.string());
    held.reset();
    std::_Exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_FALSE(fs::exists(tree));
}

TEST(RunProgram, GivesStatusAndOutput) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path / "log").string();
  EXPECT_EQ(*runProgram({"/bin/sh", "-c", "echo out; echo err >&2; cat; exit 3"}, log), 3);
  std::string a, b;
  std::ifstream(log) >> a >> b;
  EXPECT_EQ(a + " " + b, "out err");
  EXPECT_EQ(*runProgram({"/bin/sh", "-c", "kill -KILL $$"}, log), 128 + SIGKILL);
  EXPECT_EQ(*runProgram({"/no/such/program"}, log), 127);
}

TEST(RunInCopy, GivesTheTextOfWorkThatIsDone) {
  int touched = 0;
  const std::string large(3'000'000, 'x');
  const Result<CopyOutcome> done = runInCopy([&] {
    touched = 1;
    std::fputs("nobody sees this\n", stderr);
    return large;
  });
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->status, 0);
  EXPECT_TRUE(done->text == large);
  EXPECT_EQ(touched, 0);
}

TEST(RunInCopy, SaysHowWorkEndsThatIsNotDone) {
  const auto outcome = [](const std::function<std::string()> &work) {
    const Result<CopyOutcome> result = runInCopy(work);
    return result ? result->ending() + result->text : result.error();
  };
  EXPECT_EQ(outcome([]() -> std::string { std::abort(); }), "signal 6");
  EXPECT_EQ(outcome([]() -> std::string {
              std::raise(SIGKILL);
              return "text";
            }),
            "signal 9");
  EXPECT_EQ(outcome([]() -> std::string { _exit(3); }), "status 3");
}

TEST(ScratchFolder, IsOfThisUserAloneAndGoes) {
  std::string path;
  {
    const auto folder = ScratchFolder::create();
    ASSERT_TRUE(folder) << folder.error();
    path = (*folder)->path;
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(0700));
    std::ofstream(path + "/file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(ScratchFolder::create("/no/such/").error(),
            "cannot make a temporary folder in '/no/such/': No such file or directory");
}

} // namespace
} // namespace daedalus
