// .npy files, and files as a whole.

#include "daedalus/runtime/npy.h"
#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace daedalus;
using namespace daedalus::runtime;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away with the test.
class Files : public ::testing::Test {
protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "daedalus-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder); }
  std::string path(const std::string &name) const { return (folder / name).string(); }
  size_t count() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }

  fs::path folder;
};

std::vector<uint8_t> npy(std::string header, size_t dataBytes, uint8_t major = 1) {
  std::vector<uint8_t> bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', major, 0};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (size_t i = 0; i < dataBytes; ++i)
    bytes.push_back(static_cast<uint8_t>(i));
  return bytes;
}

std::string header(const std::string &descr, const std::string &shape, const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

std::string refusal(const std::vector<uint8_t> &bytes) {
  auto tensor = parseNpy(bytes, "x.npy");
  return tensor ? "" : tensor.error();
}

TEST(Npy, WritesWhatNumPyWrites) {
  // numpy.save(f, numpy.array([[1], [-2]], 'i1')), NumPy 1.24
  std::string text = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 1), }";
  std::vector<uint8_t> expected = npy(text + std::string(117 - text.size(), ' ') + "\n", 0);
  expected.insert(expected.end(), {1, 0xfe});
  EXPECT_EQ(formatNpy({"", {DType::I8, {2, 1}}, {1, 0xfe}}), expected);
}

TEST(Npy, RoundTripsEveryTypeAndRank) {
  for (DType dtype : {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64,
                      DType::U64, DType::F16, DType::BF16, DType::F32, DType::F64, DType::Bool})
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{}, {3}, {2, 3}, {1, 2, 3, 4}, {0, 7}}) {
      Tensor tensor{"", {dtype, shape}, {}};
      for (uint64_t i = 0; i < byteSize(tensor.type); ++i)
        tensor.data.push_back(static_cast<uint8_t>(i % 2));
      std::vector<uint8_t> bytes = formatNpy(tensor);
      auto read = parseNpy(bytes, "x.npy");
      ASSERT_TRUE(read) << read.error();
      EXPECT_EQ(read->type, tensor.type);
      EXPECT_EQ(read->data, tensor.data);
      EXPECT_EQ((bytes.size() - tensor.data.size()) % 64, 0u);
    }
}

TEST(Npy, ReadsAllVersionsAndOtherSpellings) {
  for (uint8_t major : {1, 2, 3})
    EXPECT_EQ(refusal(npy(header("<f4", "(2,)"), 8, major)), "");
  EXPECT_EQ(refusal(npy("{\"shape\":(2,1),\"fortran_order\":False,\"descr\":\"<i1\"}", 2)), "");
  EXPECT_EQ(refusal(npy(header("<i4", "(2,)", "True"), 8)), ""); // one dimension is both orders
  for (const char *brain : {"<V2", "|V2"})                       // what NumPy knows of ml_dtypes' bfloat16
    EXPECT_EQ(parseNpy(npy(header(brain, "(2,)"), 4), "x.npy")->type.dtype, DType::BF16);
}

TEST(Npy, RefusesWhatItCannotRead) {
  EXPECT_THAT(refusal({'P', 'K', 3, 4}), HasSubstr("'x.npy' is not a .npy file"));
  EXPECT_THAT(refusal(npy(header("<f4", "(2,)"), 8, 4)),
              HasSubstr("has .npy version 4.0, expected 1.0, 2.0 or 3.0"));
  EXPECT_THAT(refusal(npy(header("<f4", "(2, 2)", "True"), 16)),
              HasSubstr("Fortran order, expected C order"));
  EXPECT_THAT(refusal(npy(header(">i4", "(2,)"), 8)), HasSubstr("big endian (dtype '>i4')"));
  EXPECT_THAT(refusal(npy(header("<c8", "(2,)"), 16)),
              HasSubstr("dtype '<c8', expected integers of 8 to 64 bits, float16"));
  EXPECT_THAT(refusal(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,)}", 8)),
              HasSubstr("dtype '[('a', '<i4')]'"));
  EXPECT_THAT(refusal(npy(header("<i8", "(4294967296, 4294967296)"), 0)),
              HasSubstr("more than can be addressed"));
  EXPECT_THAT(refusal(npy(header("<i4", "(2, 3)"), 23)),
              HasSubstr("is truncated: int32 [2,3] needs 24 bytes of data, found 23"));
  EXPECT_THAT(refusal(npy(header("<i4", "(2, 3)"), 25)), HasSubstr("is too long"));
  for (const char *damaged :
       {"", "{", "{'descr': '<i4'}", "{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2", "{'descr': [", "{'a': 'b'}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}"})
    EXPECT_THAT(refusal(npy(damaged, 8)), HasSubstr("damaged .npy header")) << damaged;
}

TEST(Npy, RefusesEveryTruncation) {
  std::vector<uint8_t> bytes = formatNpy({"", {DType::I32, {2}}, {1, 0, 0, 0, 2, 0, 0, 0}});
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_NE(refusal(bytes), "");
  }
}

TEST_F(Files, MissingFileIsNamed) {
  auto tensor = readNpy(path("no.npy"));
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error(), "cannot read '" + path("no.npy") + "': No such file or directory");
  EXPECT_THAT(readFile(folder.string(), input::Array).error(), HasSubstr("Is a directory"));
}

TEST_F(Files, TensorGoesThroughAFile) {
  Tensor tensor{"", {DType::U8, {3}}, {7, 8, 9}};
  ASSERT_TRUE(writeNpy(path("a.npy"), tensor));
  EXPECT_EQ(readNpy(path("a.npy"))->data, tensor.data);
}

TEST_F(Files, WriteReplacesAndLeavesNothingElse) {
  const std::vector<uint8_t> bytes(100000, 42);
  ASSERT_TRUE(writeFileAtomically(path("a"), std::vector<uint8_t>{1, 2, 3}));
  chmod(path("a").c_str(), 0640);
  fs::create_symlink("a", path("link"));
  ASSERT_TRUE(writeFileAtomically(path("link"), bytes));
  EXPECT_EQ(*readFile(path("a"), input::Array), bytes);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("a")).permissions()), 0640u);
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, FailedWriteLeavesNothing) {
  EXPECT_THAT(writeFileAtomically(path("no/a"), std::vector<uint8_t>{1}).error(),
              HasSubstr("cannot write '" + path("no/a") + "'"));
  fs::create_directory(path("d"));
  EXPECT_THAT(writeFileAtomically(path("d"), std::vector<uint8_t>{1}).error(), HasSubstr("Is a directory"));
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, DevicesAreWrittenDirectly) {
  EXPECT_TRUE(writeFileAtomically("/dev/null", std::vector<uint8_t>{1}));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

} // namespace
