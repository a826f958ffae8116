// Programs that are ended in each of their cycles, in every way there is: whatever is on the buses then, the
// run behind it has the bytes and cycles of the engine that has no wires, and DRAM does not change between.
// DAEDALUS_RESET_PROGRAMS: how many programs, each in all of its cycles; the tests take one, in every fifth.
// DAEDALUS_RESET_STRETCHES: how many programs, each in a stretch of its cycles; the tests take ten.
#include "daedalus/simulator/cosim.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace daedalus::cosim {
namespace {

constexpr uint64_t FewestCycles = 300, MostCycles = 1100;
constexpr uint64_t Stretch = 40; ///< cycles in succession in which a program is ended

unsigned numberOr(const char *variable, unsigned otherwise) {
  const char *setting = std::getenv(variable);
  return setting ? static_cast<unsigned>(std::atoi(setting)) : otherwise;
}

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
  const bool isWhole = std::getenv("DAEDALUS_RESET_PROGRAMS") != nullptr;
  const unsigned programs = numberOr("DAEDALUS_RESET_PROGRAMS", 1);
  const isa::Machine machine = *isa::loadMachine("tiny");
  const Pair pair = engines("systemc", "rtl");
  unsigned ended = 0;
  for (uint64_t seed = 1; ended < programs && !HasFailure(); ++seed) {
    const Case test = randomCase(machine, seed);
    const uint64_t cycles = cyclesToEndIn(pair, machine, test);
    if (!cycles)
      continue;
    endInEveryCycle(pair, machine, test, cycles, isWhole ? 1 : 5);
    std::cout << "case " << seed << ": ended in " << cycles << " cycles\n";
    ++ended;
  }
}

/// Many programs, so that a RESET meets every form of an instruction; the devices go on from each to the
/// next.
TEST(Reset, InAStretchOfManyPrograms) {
  const unsigned programs = numberOr("DAEDALUS_RESET_STRETCHES", 10);
  const isa::Machine machine = *isa::loadMachine("tiny");
  const Pair pair = engines("systemc", "rtl");
  unsigned ended = 0;
  for (uint64_t seed = 1; ended < programs && !HasFailure(); ++seed) {
    Case test = randomCase(machine, seed);
    const uint64_t cycles = cyclesToEndIn(pair, machine, test);
    if (!cycles)
      continue;
    test.resetAt = Stretch + seed * 97 % (cycles - Stretch);
    test.resetsBefore = Stretch - 1;
    const auto found = run(pair, machine, test);
    ASSERT_TRUE(found) << found.error();
    ASSERT_FALSE(*found) << (*found)->text << writeCase(test, "");
    ++ended;
  }
}

} // namespace
} // namespace daedalus::cosim
