// Shrinking keeps what makes a case diverge, and little else.
#include "daedalus/simulator/cosim.h"
#include "support/device_harness.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

/// The first case from the seed on with an instruction for which `is` holds.
template <class Is> Case caseWith(const isa::Machine &machine, uint64_t seed, Is is) {
  for (;; ++seed) {
    Case test = randomCase(machine, seed);
    if (test.what == "legal" && test.program.instructions.size() > 30 &&
        std::any_of(test.program.instructions.begin(), test.program.instructions.end(), is))
      return test;
  }
}

TEST(Shrink, LeavesTheInstructionThatMatters) {
  const isa::Machine machine = testing::builtin("tiny");
  const auto matters = [](const isa::Instruction &instruction) {
    const auto *gemm = std::get_if<isa::Gemm>(&instruction);
    return gemm && gemm->loops[5].count >= 2;
  };
  const Case test = caseWith(machine, 1, matters);
  const Case small = shrink(machine, test, [&](const Case &candidate) {
    return std::any_of(candidate.program.instructions.begin(), candidate.program.instructions.end(), matters);
  });
  EXPECT_LE(small.program.instructions.size(), 6u)
      << writeCase(small, ""); // with the LOADs that fill its rows
  EXPECT_TRUE(std::any_of(small.program.instructions.begin(), small.program.instructions.end(), matters));
  EXPECT_TRUE(std::holds_alternative<isa::Finish>(small.program.instructions.back()));
  EXPECT_EQ(small.memory.throttlePercent, 0u);
}

TEST(Shrink, KeepsAFaultTheOnlyOne) {
  const isa::Machine machine = testing::builtin("tiny");
  uint64_t seed = 0;
  while (randomCase(machine, seed).what != "scratchpad range")
    ++seed;
  const Case test = randomCase(machine, seed);
  const Pair pair = engines("functional", "systemc");
  const auto isFaulty = [&](const Case &candidate) { return candidate.what == "scratchpad range"; };
  const Case small = shrink(machine, test, isFaulty);
  EXPECT_LE(small.program.instructions.size(), test.program.instructions.size());
  const auto found = run(pair, machine, small);
  ASSERT_TRUE(found) << found.error();
  EXPECT_FALSE(*found) << (*found)->text; // both meet the same fault
}

} // namespace
} // namespace daedalus::cosim
