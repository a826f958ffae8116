// Files: links, devices, inputs, and what is left behind.
#include "temporary_folder.h"

#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/inputs.h"

#include <gtest/gtest.h>

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
