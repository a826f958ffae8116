// A thousand random programs: proved by the verifier, the same through text, words and files; and what the
// generator promises to contain.
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/instruction_fields.h"
#include "daedalus/simulator/random_program.h"
#include "test_programs.h"

#include <set>

namespace daedalus::isa {
namespace {

class RandomPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomPrograms, AreProvedAndRoundTrip) {
  const Machine machine = machineNamed(GetParam());
  for (uint64_t seed = 0; seed < 250; ++seed) {
    const Program program = cosim::randomProgram(machine, seed).program;
    for (const Finding &finding : verify(program, machine))
      ADD_FAILURE() << "seed " << seed << ": " << finding.message;
    Result<Program> fromText = assemble(disassemble(program), "p.asm");
    ASSERT_TRUE(fromText) << "seed " << seed << ": " << fromText.error();
    ASSERT_EQ(*fromText, program) << "seed " << seed;
    Result<Program> fromFile = readProgram(writeProgram(program));
    ASSERT_TRUE(fromFile) << "seed " << seed << ": " << fromFile.error();
    ASSERT_EQ(*fromFile, program) << "seed " << seed;
    ASSERT_EQ(writeProgram(*fromText), writeProgram(program));
  }
}

/// The verifier needs every token that is there because of a dependence: without one, it refuses.
TEST_P(RandomPrograms, AreRefusedWithoutOneOfTheirTokens) {
  const Machine machine = machineNamed(GetParam());
  cosim::ProgramOptions options;
  options.extraTokens = false;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Program program = cosim::randomProgram(machine, seed, options).program;
    for (Instruction &instruction : program.instructions) {
      const uint8_t wait = waitMask(instruction);
      if (!wait)
        continue;
      setWaitMask(instruction, wait & (wait - 1));
      EXPECT_FALSE(verify(program, machine).empty()) << "seed " << seed;
      setWaitMask(instruction, wait);
    }
  }
}

TEST_P(RandomPrograms, ContainEverything) {
  const Machine machine = machineNamed(GetParam());
  std::set<size_t> forms;
  std::array<unsigned, OpcodeCount> opcodes{};
  unsigned diagonal = 0, tailFill = 0, bounded = 0, negative = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
    for (const Instruction &instruction : cosim::randomProgram(machine, seed).program.instructions) {
      ++opcodes[instruction.index()];
      if (const Load *load = std::get_if<Load>(&instruction)) {
        diagonal += load->diagonal;
        tailFill += load->tailFill;
        bounded += !load->unbounded;
        negative += load->loops[2].dramStride < 0 && load->loops[2].count > 1;
      }
      const Vector *vector = std::get_if<Vector>(&instruction);
      for (size_t form = 0; vector && form < VectorForms.size(); ++form)
        if ((VectorForms[form].ops >> static_cast<unsigned>(vector->op) & 1) &&
            (isReducing(*vector) ? VectorForms[form].reducing : VectorForms[form].plain))
          forms.insert(form);
    }
  EXPECT_EQ(forms.size(), VectorForms.size());
  for (unsigned opcode = 0; opcode < OpcodeCount; ++opcode)
    EXPECT_GT(opcodes[opcode], 0u) << opcode;
  EXPECT_GT(std::min({diagonal, tailFill, bounded, negative}), 0u);
}

TEST_P(RandomPrograms, AreTheSameForTheSameSeed) {
  const Machine machine = machineNamed(GetParam());
  const cosim::RandomProgram one = cosim::randomProgram(machine, 7), two = cosim::randomProgram(machine, 7);
  EXPECT_EQ(one.program, two.program);
  EXPECT_EQ(one.constants, two.constants);
  EXPECT_EQ(one.arena, two.arena);
  EXPECT_FALSE(cosim::randomProgram(machine, 8).program == one.program);
}

INSTANTIATE_TEST_SUITE_P(Machines, RandomPrograms, ::testing::ValuesIn(builtinMachines()));

} // namespace
} // namespace daedalus::isa
