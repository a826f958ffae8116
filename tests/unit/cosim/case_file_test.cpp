// Cases as files: what is written is read again, and what is no case is refused with its line.
#include "daedalus/simulator/cosim.h"
#include "support/device_harness.h"

namespace daedalus::cosim {
namespace {

TEST(CaseFile, WhatIsWrittenIsReadAgain) {
  const isa::Machine machine = testing::builtin("tiny");
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Case test = randomCase(machine, seed);
    const std::string text = writeCase(test, "a comment\nin two lines");
    const auto again = readCase(text, "case.s");
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(writeCase(*again, "a comment\nin two lines"), text);
    EXPECT_EQ(again->program.instructions.size(), test.program.instructions.size());
  }
}

TEST(CaseFile, ARandomCaseIsTheSameForTheSameSeed) {
  const isa::Machine machine = testing::builtin("large");
  EXPECT_EQ(writeCase(randomCase(machine, 5), ""), writeCase(randomCase(machine, 5), ""));
  EXPECT_NE(writeCase(randomCase(machine, 5), ""), writeCase(randomCase(machine, 6), ""));
}

std::string errorOf(const std::string &text, const std::string &last = "") {
  const isa::Machine machine = testing::builtin("tiny");
  Case test;
  test.program.machineName = machine.name;
  test.program.machineHash = machine.hash();
  test.program.instructions = {isa::Finish{}};
  const auto read = readCase(text + writeCase(test, "") + last, "kept.s");
  EXPECT_FALSE(read);
  return read ? "" : read.error();
}

TEST(CaseFile, WhatIsNoCaseIsRefused) {
  EXPECT_EQ(errorOf("#: sede 17\n"),
            "kept.s:1: found '#: sede 17'; expected '#: KEY VALUE' as daedalus cosim writes it");
  EXPECT_EQ(errorOf("# x\n#: seed many\n"),
            "kept.s:2: found '#: seed many'; expected '#: KEY VALUE' as daedalus cosim writes it");
  EXPECT_NE(errorOf("#: base 16 0\n").find("kept.s:1: found"), std::string::npos);
  EXPECT_NE(errorOf("#: word 0 12\n").find("kept.s:1: found"), std::string::npos);
  EXPECT_NE(errorOf("#: silence x 3\n").find("kept.s:1: found"), std::string::npos);
  EXPECT_EQ(errorOf("", "#: dram_bytes 100\n"),
            "kept.s: dram_bytes is 100; expected a multiple of 64, at most 4 GiB");
  EXPECT_EQ(errorOf("#: origin 100\n"), "kept.s: origin is 100; expected a multiple of 4096");
  EXPECT_EQ(errorOf("#: again_to 9\n"), "kept.s: again_to is 9; the program has 1 instructions");
}

} // namespace
} // namespace daedalus::cosim
