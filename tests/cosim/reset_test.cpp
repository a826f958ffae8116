// Programs that are ended in each of their cycles, in every way there is: whatever is on the buses then, the
// run behind it has the bytes and cycles of the engine that has no wires, and DRAM does not change between.
// DAEDALUS_RESET_PROGRAMS: how many programs, each in all of its cycles; the tests take one, in every fifth.
#include "daedalus/simulator/cosim.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace daedalus::cosim {
namespace {

constexpr uint64_t FewestCycles = 300, MostCycles = 1100;

bool movesBothWays(const Case &test) {
  bool loads = false, stores = false;
  for (const isa::Instruction &instruction : test.program.instructions) {
    loads |= std::holds_alternative<isa::Load>(instruction);
    stores |= std::holds_alternative<isa::Store>(instruction);
  }
  return loads && stores;
}

/// The cycles of the case on both engines, or 0 where it is none to end: it has a fault, a host of its own,
/// is too short or too long, or does not move data both ways.
uint64_t cyclesToEndIn(const Pair &pair, const isa::Machine &machine, const Case &test) {
  if (test.what != "legal" || test.resetAt || !test.host.empty() || test.againTo || !movesBothWays(test))
    return 0;
  Totals totals;
  const auto found = run(pair, machine, test, &totals);
  EXPECT_TRUE(found && !*found);
  return totals.cycles < FewestCycles || totals.cycles > MostCycles ? 0 : totals.cycles;
}

void endInEveryCycle(const Pair &pair, const isa::Machine &machine, Case test, uint64_t cycles,
                     unsigned step) {
  for (test.resetAt = 1; test.resetAt <= cycles + 2; test.resetAt += step)
    for (ResetBy by : {ResetBy::Control, ResetBy::ControlAndStart, ResetBy::StartBehind, ResetBy::Pin}) {
      test.resetBy = by;
      const auto found = run(pair, machine, test);
      ASSERT_TRUE(found) << found.error();
      ASSERT_FALSE(*found) << (*found)->text << writeCase(test, "");
    }
}

TEST(Reset, InEveryCycleOfAProgram) {
  const char *setting = std::getenv("DAEDALUS_RESET_PROGRAMS");
  const unsigned programs = setting ? static_cast<unsigned>(std::atoi(setting)) : 1;
  const isa::Machine machine = *isa::loadMachine("tiny");
  const Pair pair = engines("systemc", "rtl");
  unsigned ended = 0;
  for (uint64_t seed = 1; ended < programs && !HasFailure(); ++seed) {
    const Case test = randomCase(machine, seed);
    const uint64_t cycles = cyclesToEndIn(pair, machine, test);
    if (!cycles)
      continue;
    endInEveryCycle(pair, machine, test, cycles, setting ? 1 : 5);
    std::cout << "case " << seed << ": ended in " << cycles << " cycles\n";
    ++ended;
  }
}

} // namespace
} // namespace daedalus::cosim
