// Input files up to their largest size: regular files, sparse ones, and what has no end.
#include "daedalus/support/input_file.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

namespace daedalus {
namespace {

constexpr InputKind SmallKind{"a small file", 1000};

class InputFile : public ::testing::Test {
protected:
  ~InputFile() override {
    close(descriptor);
    unlink(path.c_str());
  }
  void size(off_t bytes) { ASSERT_EQ(ftruncate(descriptor, bytes), 0); }

  std::string path = ::testing::TempDir() + "input_file.XXXXXX";
  int descriptor = mkstemp(path.data());
};

TEST_F(InputFile, HasAtMostItsKindsSize) {
  size(1000);
  EXPECT_EQ(readFile(path, SmallKind)->size(), 1000u);
  size(1001);
  EXPECT_EQ(readFile(path, SmallKind).error(),
            "'" + path + "' has 1001 bytes; expected at most 1000 bytes of a small file");
}

TEST_F(InputFile, SizeIsKnownBeforeAByteIsRead) {
  size(off_t(1) << 42); // nobody has the memory
  for (const InputKind &kind : {input::MachineFile, input::ProgramText, input::Package, input::Model,
                                input::OnnxTensor, input::Array, input::MlirText})
    EXPECT_EQ(readFile(path, kind).error(), "'" + path + "' has 4398046511104 bytes; expected at most " +
                                                std::to_string(kind.mostBytes) + " bytes of " + kind.name);
}

TEST_F(InputFile, IsHeldInItsOwnRoom) {
  constexpr size_t bytes = 1 << 20, toSeeTheEnd = 1 << 16;
  size(bytes);
  const auto read = readFile(path, input::Model);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), bytes);
  EXPECT_LE(read->capacity(), bytes + toSeeTheEnd);
}

TEST(InputStream, WithoutAnEndStops) {
  EXPECT_EQ(readFile("/dev/zero", SmallKind).error(),
            "'/dev/zero' has more than 1000 bytes; expected at most 1000 bytes of a small file");
  EXPECT_EQ(
      readFile("/dev/zero", input::Package).error(),
      "'/dev/zero' has more than 268435456 bytes; expected at most 268435456 bytes of what comes through "
      "a pipe or from a device: write it to a file first");
}

TEST(InputStream, IsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text(5000, 'x'); // less than a pipe holds
  ASSERT_EQ(write(ends[1], text.data(), text.size()), 5000);
  close(ends[1]);
  auto bytes = readDescriptor(ends[0], "stdin", input::ProgramText);
  close(ends[0]);
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(std::string(bytes->begin(), bytes->end()), text);
}

} // namespace
} // namespace daedalus
