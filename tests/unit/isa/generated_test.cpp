// What isagen makes: the committed manual is current, the C header says what the C++ tables say, and the
// structs of the SystemVerilog package have the width of an instruction.
#include "daedalus/isa/instruction_fields.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

extern "C" unsigned daedalusTestRegisters(unsigned index);

namespace daedalus::isa {
namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Generated, CommittedManualIsCurrent) {
  EXPECT_TRUE(contentOf(DAEDALUS_SOURCE_DIR "/docs/isa.md") == contentOf(ISA_GENERATED_DIR "/docs/isa.md"))
      << "docs/isa.md is not what isagen makes of isa/spec/isa.yaml: run `cmake --build BUILD --target "
         "isa_manual`";
}

TEST(Generated, CHeaderSaysTheSame) {
  const unsigned expected[] = {Version,
                               reg::Version,
                               reg::Control,
                               reg::ControlStart,
                               reg::BaseLo,
                               reg::BaseLoStep,
                               reg::Limit,
                               reg::CounterHi,
                               static_cast<unsigned>(DeviceStatus::Done),
                               static_cast<unsigned>(FaultCause::NoProgress),
                               FaultCauseCount,
                               CounterClassCount,
                               InstructionBytes};
  for (unsigned i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(daedalusTestRegisters(i), expected[i]) << i;
  EXPECT_EQ(daedalusTestRegisters(std::size(expected)), ~0u);
}

/// Bits of the members of a packed struct; `loopBits` of the loop struct that came before it.
unsigned widthOf(const std::string &body, unsigned loopBits) {
  static const std::regex member(R"((\w+)( signed)?( \[(\d+):0\])? (\w+);)");
  unsigned width = 0;
  for (std::sregex_iterator at(body.begin(), body.end(), member), end; at != end; ++at) {
    const unsigned count = (*at)[4].matched ? static_cast<unsigned>(std::stoul((*at)[4])) + 1 : 1;
    width += count * ((*at)[1] == "logic" ? 1 : loopBits);
  }
  return width;
}

TEST(Generated, SystemVerilogStructsHave512Bits) {
  const std::string package = contentOf(ISA_GENERATED_DIR "/sv/daedalus_isa_pkg.sv");
  static const std::regex structure(R"(typedef struct packed \{([^}]*)\} (\w+)_t;)");
  unsigned loopBits = 0, instructions = 0;
  for (std::sregex_iterator at(package.begin(), package.end(), structure), end; at != end; ++at) {
    const unsigned width = widthOf((*at)[1], loopBits);
    const std::string name = (*at)[2];
    if (name.size() > 5 && name.substr(name.size() - 5) == "_loop") {
      loopBits = width;
      continue;
    }
    EXPECT_EQ(width, 8 * InstructionBytes) << name;
    ++instructions;
  }
  EXPECT_EQ(instructions, OpcodeCount);
}

TEST(Generated, SystemVerilogMembersAreNoKeywords) {
  const std::string package = contentOf(ISA_GENERATED_DIR "/sv/daedalus_isa_pkg.sv");
  for (const char *keyword : {"wait", "module", "table"}) // names of fields that are words of the language
    EXPECT_EQ(package.find(std::string(" ") + keyword + ";"), std::string::npos) << keyword;
  EXPECT_NE(package.find(" wait_;"), std::string::npos);
}

} // namespace
} // namespace daedalus::isa
