// Files: links, devices, inputs, and what is left behind.
#include "temporary_folder.h"

#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/inputs.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace daedalus {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

class File : public testing::Test {
protected:
  std::string path(const std::string &name) const { return (folder.path / name).string(); }
  size_t entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()));
  }
  std::string written(const std::string &name, const Bytes &bytes) const {
    const Result<void> done = writeFileAtomically(path(name), bytes);
    return done ? "" : done.error();
  }
  void expectHolds(const std::string &name, const Bytes &bytes) const {
    const auto found = readFile(path(name), input::Package);
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(*found, bytes);
  }

  test::TemporaryFolder folder;
};

TEST_F(File, IsWrittenAndReplacedWithItsRights) {
  EXPECT_EQ(written("a", {1, 2}), "");
  fs::permissions(path("a"), fs::perms(0750));
  EXPECT_EQ(written("a", {3}), "");
  expectHolds("a", {3});
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0750));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, LinkStaysALink) {
  ASSERT_EQ(written("target", {1}), "");
  fs::create_symlink("target", path("link"));
  EXPECT_EQ(written("link", {2}), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  expectHolds("target", {2});
}

TEST_F(File, DanglingLinkIsFollowed) {
  fs::create_directory(path("inner"));
  fs::create_symlink("second", path("inner/first"));
  fs::create_symlink("inner/first", path("link"));
  EXPECT_EQ(written("link", {7}), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("inner/first")));
  expectHolds("inner/second", {7});
}

TEST_F(File, LinkToItselfIsRefused) {
  fs::create_symlink("loop", path("loop"));
  EXPECT_NE(written("loop", {1}).find("cannot write"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(path("loop")));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, NameOfTheLongestLengthFits) {
  const std::string name(255, 'x');
  EXPECT_EQ(written(name, {1}), "");
  expectHolds(name, {1});
}

TEST_F(File, FailureLeavesNothing) {
  EXPECT_NE(written("no/folder", {1}).find("No such file"), std::string::npos);
  fs::create_directory(path("folder"));
  EXPECT_NE(written("folder", {1}).find("directory"), std::string::npos);
  EXPECT_NE(std::string(writeFileAtomically("/dev/full", Bytes{1}).error()).find("No space"),
            std::string::npos);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, InPiecesIsThereWhenItIsComplete) {
  ASSERT_EQ(written("a", {1}), "");
  const Bytes large(200'000, 7);
  {
    const auto file = OutputFile::create(path("a"));
    ASSERT_TRUE(file) << file.error();
    (*file)->write(Bytes{2, 3});
    (*file)->write(large);
    expectHolds("a", {1});
    EXPECT_EQ(entries(), 2u);
    const auto left = OutputFile::create(path("b"));
    ASSERT_TRUE(left) << left.error();
    (*left)->write(Bytes{4});
    EXPECT_TRUE((*file)->commit());
  }
  Bytes whole{2, 3};
  whole.insert(whole.end(), large.begin(), large.end());
  expectHolds("a", whole);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, PrivateFileStaysPrivate) {
  ASSERT_EQ(written("a", {1}), "");
  fs::permissions(path("a"), fs::perms(0600));
  const auto file = OutputFile::create(path("a"));
  ASSERT_TRUE(file) << file.error();
  (*file)->write(Bytes{2});
  for (const auto &entry : fs::directory_iterator(folder.path)) // the unfinished one too
    EXPECT_EQ(entry.status().permissions(), fs::perms(0600)) << entry.path();
  EXPECT_TRUE((*file)->commit());
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0600));
}

TEST_F(File, NewFileHasTheRightsOfTheUmask) {
  const mode_t before = umask(027);
  EXPECT_EQ(written("a", {1}), "");
  umask(before);
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

/// No name is used twice, whatever the process is.
TEST_F(File, NameOfTheUnfinishedOneIsNotForeseen) {
  std::set<std::string> names;
  for (unsigned i = 0; i < 4; ++i) {
    const auto file = OutputFile::create(path("a"));
    ASSERT_TRUE(file) << file.error();
    const std::string name = fs::directory_iterator(folder.path)->path().filename().string();
    EXPECT_EQ(name.find(std::to_string(getpid())), std::string::npos) << name;
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 4u);
}

TEST_F(File, PipeStaysAPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(written("pipe", {5, 6}), "");
  Bytes got(8);
  EXPECT_EQ(read(reader, got.data(), got.size()), 2);
  EXPECT_EQ(got[0], 5);
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, OpenFileIsContinued) {
  const int file = open(path("open").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(write(file, "a", 1), 1);
  for (const char *names : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::string name = names + std::to_string(file);
    EXPECT_TRUE(writeFileAtomically(name, Bytes{'b'}));
    fs::create_symlink(name, path("link"));
    EXPECT_EQ(written("link", {'c'}), "");
    fs::remove(path("link"));
  }
  ASSERT_EQ(write(file, "d", 1), 1);
  close(file);
  expectHolds("open", {'a', 'b', 'c', 'b', 'c', 'd'});
}

TEST_F(File, DiskIsRefused) {
  if (mknod(path("disk").c_str(), S_IFBLK | 0600, makedev(7, 250)) != 0)
    GTEST_SKIP() << "only root makes devices";
  EXPECT_NE(written("disk", {1}).find("block device"), std::string::npos) << written("disk", {1});
  EXPECT_TRUE(fs::is_block_file(path("disk")));
}

TEST_F(File, IsTakenFromAFolderBeside) {
  ASSERT_EQ(written("a", {1}), "");
  fs::permissions(path("a"), fs::perms(0600));
  const auto file = OutputFile::create(path("a"));
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ((*file)->folderBeside(), path(""));
  ASSERT_EQ(written("made", {2, 3}), "");
  (*file)->take(path("made"));
  EXPECT_TRUE((*file)->commit());
  expectHolds("a", {2, 3});
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0600));
  EXPECT_EQ(entries(), 1u);
  const auto full = OutputFile::create("/dev/full");
  ASSERT_TRUE(full) << full.error();
  EXPECT_EQ((*full)->folderBeside(), "");
  (*full)->take(path("a"));
  EXPECT_NE(std::string((*full)->commit().error()).find("No space"), std::string::npos);
}

/// In a process of its own: inputs stay protected until its end.
TEST_F(File, InputIsNotWritten) {
  ASSERT_EQ(written("model", {1}), "");
  fs::create_hard_link(path("model"), path("hard"));
  fs::create_symlink("model", path("soft"));
  const auto refusesAll = [&] {
    protectInputs();
    if (!readFile(path("soft"), input::Package))
      return false;
    for (const char *name : {"model", "hard", "soft"})
      if (written(name, {2}).find("is an input") == std::string::npos || checkNotInput(path(name)))
        return false;
    if (!written("other", {2}).empty() || !written("other", {3}).empty())
      return false;
    forgetInput(path("hard"));
    return written("soft", {1}).empty();
  };
  EXPECT_EXIT(std::_Exit(refusesAll() ? 0 : 1), testing::ExitedWithCode(0), "");
  expectHolds("model", {1});
}

} // namespace
} // namespace daedalus
