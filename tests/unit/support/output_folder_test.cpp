// Folders of outputs: all files or none, whatever ends the process.
#include "temporary_folder.h"

#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/temporaries.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace daedalus {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

size_t entriesOf(const fs::path &folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Bytes contentOf(const std::string &path) {
  const auto found = readFile(path, input::Package);
  return found ? *found : Bytes{};
}

class OutputFolder : public testing::Test {
protected:
  std::string path(const std::string &name) const { return (folder.path / name).string(); }

  test::TemporaryFolder folder;
};

TEST_F(OutputFolder, IsMadeWithItsFiles) {
  EXPECT_TRUE(writeFolder(path("a/b/c/"), {{"x", {1}}, {"y", {2}}}));
  EXPECT_EQ(contentOf(path("a/b/c/x")), Bytes{1});
  EXPECT_EQ(contentOf(path("a/b/c/y")), Bytes{2});
  EXPECT_TRUE(writeFolder(path("a/b/c"), {{"y", {3}}}));
  EXPECT_EQ(contentOf(path("a/b/c/x")), Bytes{1});
  EXPECT_EQ(contentOf(path("a/b/c/y")), Bytes{3});
  EXPECT_TRUE(writeFolder(path("none"), {}));
  EXPECT_TRUE(fs::is_empty(path("none")));
  EXPECT_EQ(entriesOf(folder.path), 2u);
}

TEST_F(OutputFolder, IsAsItWasWhereOneFileFails) {
  const std::string why = writeFolder(path("a/b"), {{"x", {1}}, {"no/y", {2}}}).error();
  EXPECT_EQ(why, "cannot write '" + path("a/b/no/y") + "': No such file or directory");
  EXPECT_EQ(entriesOf(folder.path), 0u);
  fs::create_directory(path("a"));
  ASSERT_TRUE(writeFileAtomically(path("a/x"), Bytes{5}));
  EXPECT_FALSE(writeFolder(path("a"), {{"x", {1}}, {"no/y", {2}}}));
  EXPECT_EQ(contentOf(path("a/x")), Bytes{5});
  EXPECT_FALSE(writeFolder(path("a/x"), {{"y", {2}}}));
  EXPECT_FALSE(writeFolder(path("a/none/../b"), {{"y", {2}}}));
  EXPECT_EQ(entriesOf(path("a")), 1u);
}

constexpr unsigned files = 20;

/// Writes new folders and, again and again, one that is there, beside threads that take signals too.
[[noreturn]] void writeForEver(const fs::path &place) {
  signal(SIGTERM, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  alarm(60);
  cleanUpOnSignals();
  for (unsigned i = 0; i < 3; ++i)
    std::thread([] { pause(); }).detach();
  for (unsigned round = 0;; ++round) {
    std::vector<FileOfFolder> all;
    for (unsigned i = 0; i < files; ++i)
      all.push_back({std::to_string(i), Bytes(4, static_cast<uint8_t>(round))});
    for (const std::string &name : {std::string("again"), "new" + std::to_string(round) + "/inner"})
      if (!writeFolder((place / name).string(), all))
        std::_Exit(99);
  }
}

TEST_F(OutputFolder, EndedByASignalHoldsAllFilesOrNone) {
  using namespace std::chrono_literals;
  if (fs::is_directory("/dev/shm")) // where most of the time goes into names, not into a disk
    setenv("TMPDIR", "/dev/shm", 1);
  for (unsigned trial = 0; trial < 60; ++trial) {
    const test::TemporaryFolder place;
    const pid_t child = fork();
    if (child == 0)
      writeForEver(place.path);
    for (unsigned tries = 0; tries < 5000 && !fs::exists(place.path / "again"); ++tries)
      std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(trial * 531us);
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
    for (const auto &entry : fs::directory_iterator(place.path)) {
      ASSERT_NE(entry.path().filename().string().front(), '.') << entry.path() << " is left";
      const fs::path made = entry.path().filename() == "again" ? entry.path() : entry.path() / "inner";
      std::set<Bytes> contents;
      for (unsigned i = 0; i < files; ++i)
        contents.insert(contentOf((made / std::to_string(i)).string()));
      EXPECT_EQ(contents.size(), 1u) << "trial " << trial << ": " << entry.path() << " is of two rounds";
      EXPECT_EQ(entriesOf(made), files) << "trial " << trial;
    }
  }
}

} // namespace
} // namespace daedalus
