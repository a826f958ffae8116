// Programs that are almost what the accelerator does: each begins as exactly one of its forms (exactProgram),
// and one thing of it is changed. Wherever they are placed, the bytes are those of a plain interpreter.
// Changes that make no program, or one whose results the dialects leave open, are tried again with another
// seed. DAEDALUS_NEAR_MISSES=FIRST:COUNT runs other seeds than the suite's 0:500.
#include "near_miss.h"
#include "program_runner.h"
#include "random_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace daedalus::testing {
namespace {

class NearMisses : public ::testing::Test {
protected:
  void run(uint64_t seed) {
    const std::string machine = seed % 2 ? "tiny" : "default";
    const std::string form = exactForms()[seed % exactForms().size()], exact = exactProgram(form, seed);
    for (uint64_t attempt = 0; attempt < 300; ++attempt) {
      const NearMiss miss = nearMissOf(exact, 300 * seed + attempt);
      InterpretedProgram program(miss.text, seed);
      if (miss.text != exact && program.parses() && program.isDefined())
        return compare(program, miss.text, machine,
                       form + ", seed " + std::to_string(seed) + ", machine " + machine + ": " + miss.what +
                           "\n");
    }
    ADD_FAILURE() << "no change of this makes a program:\n" << exact;
  }

  void compare(InterpretedProgram &program, const std::string &text, const std::string &machine,
               const std::string &what) {
    SCOPED_TRACE(what + text);
    const TemporaryProgram file(text);
    const auto compiled = compileProgram(file.path, machine);
    ASSERT_TRUE(compiled) << compiled.error();
    EXPECT_EQ(program.difference(compiled->package, "functional"), "");
    ++(compiled->package.programs.empty() ? onCpu : onAccelerator);
  }

  unsigned onCpu = 0, onAccelerator = 0;
};

TEST_F(NearMisses, AreRightWhereverTheyArePlaced) {
  unsigned long long first = 0, count = 500;
  if (const char *wanted = std::getenv("DAEDALUS_NEAR_MISSES"))
    std::sscanf(wanted, "%llu:%llu", &first, &count);
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed)
    run(seed);
  std::printf("%u near-misses have work on the accelerator, %u have none\n", onAccelerator, onCpu);
  EXPECT_GE(onCpu * 20, count);
  EXPECT_GE(onAccelerator * 4, count);
}

} // namespace
} // namespace daedalus::testing
