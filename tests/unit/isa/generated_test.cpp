// What isagen makes: the committed manual is current, the C header says what the C++ tables say, and the
// structs of the SystemVerilog package have the width of an instruction.
#include "daedalus/isa/instruction_fields.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
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

TEST(Generated, CommittedMapOfTheSystemIsCurrent) {
  EXPECT_TRUE(contentOf(DAEDALUS_SOURCE_DIR "/docs/soc_map.md") ==
              contentOf(ISA_GENERATED_DIR "/docs/soc_map.md"))
      << "docs/soc_map.md is not what isagen makes of isa/spec/soc.yaml: run `cmake --build BUILD --target "
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

/// Bits of the members of a packed struct: "logic [31:0] id;", "logic [2:0][71:0] loops; // load_loop_t
/// each".
unsigned widthOf(const std::string &body) {
  static const std::regex member(R"(logic( signed)?( \[(\d+):0\])?(\[(\d+):0\])? (\w+);)");
  unsigned width = 0;
  for (std::sregex_iterator at(body.begin(), body.end(), member), end; at != end; ++at) {
    const auto bits = [&](size_t group) {
      return (*at)[group].matched ? static_cast<unsigned>(std::stoul((*at)[group])) + 1 : 1;
    };
    width += bits(3) * bits(5);
  }
  return width;
}

TEST(Generated, SystemVerilogStructsHave512Bits) {
  const std::string package = contentOf(ISA_GENERATED_DIR "/sv/daedalus_isa_pkg.sv");
  static const std::regex structure(R"(typedef struct packed \{([^}]*)\} (\w+)_t;)");
  unsigned instructions = 0;
  std::map<std::string, unsigned> loops;
  for (std::sregex_iterator at(package.begin(), package.end(), structure), end; at != end; ++at) {
    const std::string body = (*at)[1], name = (*at)[2];
    if (name.size() > 5 && name.substr(name.size() - 5) == "_loop") {
      loops[name] = widthOf(body);
      continue;
    }
    EXPECT_EQ(widthOf(body), 8 * InstructionBytes) << name;
    if (const auto loop = loops.find(name + "_loop"); loop != loops.end()) {
      const std::string field = "[" + std::to_string(loop->second - 1) + ":0] loops;";
      EXPECT_NE(body.find(field), std::string::npos) << name << " has loops of another width than " << field;
    }
    ++instructions;
  }
  EXPECT_EQ(instructions, OpcodeCount);
  EXPECT_EQ(loops.size(), 4u);
}

TEST(Generated, SystemVerilogMembersAreNoKeywords) {
  const std::string package = contentOf(ISA_GENERATED_DIR "/sv/daedalus_isa_pkg.sv");
  for (const char *keyword : {"wait", "module", "table"}) // names of fields that are words of the language
    EXPECT_EQ(package.find(std::string(" ") + keyword + ";"), std::string::npos) << keyword;
  EXPECT_NE(package.find(" wait_;"), std::string::npos);
}

} // namespace
} // namespace daedalus::isa
