// Program files: round trip, and what a reader refuses.
#include "daedalus/isa/program.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

Program small() {
  return programFor(machineNamed("tiny"), {tokens(product(1, 2, 3), {}, {Module::Load}), Finish{}});
}

std::string problem(const std::vector<uint8_t> &bytes) {
  Result<Program> program = readProgram(bytes);
  EXPECT_FALSE(program);
  return program ? "" : program.error();
}

TEST(ProgramFile, RoundTrips) {
  Result<Program> program = readProgram(writeProgram(small()));
  ASSERT_TRUE(program) << program.error();
  EXPECT_EQ(*program, small());
  EXPECT_EQ(writeProgram(*program), writeProgram(small()));
}

TEST(ProgramFile, NotAProgram) {
  EXPECT_EQ(problem({}), "not a program file: it does not begin with DAEPROG1");
  EXPECT_EQ(problem(std::vector<uint8_t>(400)), "not a program file: it does not begin with DAEPROG1");
}

TEST(ProgramFile, EveryTruncationIsRefused) {
  const std::vector<uint8_t> whole = writeProgram(small());
  for (size_t size = 8; size < whole.size(); ++size) {
    const std::string sentence = problem({whole.begin(), whole.begin() + static_cast<long>(size)});
    EXPECT_NE(sentence.find("truncated"), std::string::npos) << size << ": " << sentence;
  }
}

TEST(ProgramFile, TooLong) {
  std::vector<uint8_t> bytes = writeProgram(small());
  bytes.push_back(0);
  EXPECT_EQ(problem(bytes), "the program file is too long: it has 321 bytes; 2 instructions take 320");
}

TEST(ProgramFile, OtherVersion) {
  std::vector<uint8_t> bytes = writeProgram(small());
  bytes[8] = 9;
  EXPECT_EQ(problem(bytes), "the program is for version 9 of the instruction set; expected 2");
}

TEST(ProgramFile, EveryChangedByteIsRefused) {
  const std::vector<uint8_t> whole = writeProgram(small());
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> bytes = whole;
    bytes[at] ^= 0x40;
    EXPECT_FALSE(readProgram(bytes)) << at;
  }
}

TEST(ProgramFile, ReservedBitNamesTheInstruction) {
  std::vector<uint8_t> bytes = writeProgram(small());
  bytes.back() |= 0x80;
  EXPECT_EQ(problem(bytes), "instruction 1: bit 511 of finish is set but reserved; expected 0");
}

} // namespace
} // namespace daedalus::isa
