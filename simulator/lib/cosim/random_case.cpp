// A random program and its surroundings: where everything lies in DRAM, the memory's latencies and manners,
// what the host does meanwhile.
#include "cosim/case_setup.h"
#include "cosim/random_accesses.h"
#include "cosim/random_fault.h"
#include "cosim/random_instruction.h"
#include "cosim/random_timed.h"
#include "cosim/random_wide.h"
#include "daedalus/simulator/random_program.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

using namespace isa;

constexpr uint32_t AreaBytes = 16384; ///< behind each base register

ProgramOptions drawOptions(Random &random) {
  ProgramOptions options;
  options.dramBytes = AreaBytes;
  const int64_t kind = random.between(0, 99); // many short instructions, or fewer long ones
  options.instructions = static_cast<unsigned>(kind < 40 ? random.between(20, 60) : random.between(3, 30));
  options.iterations = kind < 40 ? 8 : kind < 90 ? 60 : 300;
  options.wide = random.chance(10) ? 1 : 0;
  options.extraTokens = random.chance(50);
  options.tight = random.chance(12);
  if (random.chance(12))
    options.debt = static_cast<unsigned>(random.chance(80) ? random.between(2, 24) : random.between(24, 120));
  return options;
}

uint32_t drawLatency(Random &random) {
  return static_cast<uint32_t>(random.chance(40) ? random.between(1, 6) : random.between(1, 120));
}

void drawMemory(Case &test, Random &random) {
  test.readLatency = drawLatency(random);
  test.writeLatency = drawLatency(random);
  test.memory.seed = random.bits() >> 1;
  test.memory.latencySpread = random.chance(30) ? static_cast<uint32_t>(random.between(1, 60)) : 0;
  test.memory.throttlePercent = random.chance(15) ? static_cast<uint32_t>(random.between(5, 70)) : 0;
}

/// Constants, arena and the program of `length` words, in this order or the program first; free bytes, if
/// any; the end of DRAM.
void drawLayout(Case &test, Random &random, size_t length, bool isFull) {
  const uint64_t programBytes = length * InstructionBytes;
  const auto aligned = [](uint64_t address) {
    return (address + InstructionBytes - 1) / InstructionBytes * InstructionBytes;
  };
  const bool programFirst = random.chance(30);
  uint64_t at = 0;
  if (programFirst) {
    test.programAddress = 64 * static_cast<uint64_t>(random.between(0, 64));
    at = test.programAddress + programBytes;
  }
  test.parameters = test.bases[0] =
      at + static_cast<uint64_t>(random.between(0, random.chance(50) ? 4095 : 3));
  test.bases[1] = test.bases[0] + AreaBytes + static_cast<uint64_t>(random.between(0, 4095));
  at = aligned(test.bases[1] + AreaBytes);
  if (!programFirst) {
    test.programAddress = at + 64 * static_cast<uint64_t>(random.between(0, 63));
    at = test.programAddress + programBytes;
  }
  test.dramBytes = aligned(at + (isFull ? 0 : FreeBytes + static_cast<uint64_t>(random.between(0, 4095))));
}

/// The two base registers become any two; the others get addresses and no limit.
void renumberBases(Case &test, Random &random) {
  const auto first = static_cast<uint8_t>(random.between(0, 15));
  const auto second = static_cast<uint8_t>((first + random.between(1, 15)) % 16);
  const std::array<uint8_t, 2> numbers = {first, second};
  const auto limits = test.program.bases;
  const auto addresses = test.bases;
  test.program.bases = {};
  for (uint64_t &address : test.bases)
    address = random.bits();
  for (unsigned old = 0; old < 2; ++old) {
    test.program.bases[numbers[old]] = limits[old];
    test.bases[numbers[old]] = addresses[old];
  }
  for (Instruction &instruction : test.program.instructions) {
    if (auto *load = std::get_if<Load>(&instruction))
      load->base = numbers[load->base];
    if (auto *store = std::get_if<Store>(&instruction))
      store->base = numbers[store->base];
  }
}

/// Words behind FINISH, which are fetched and never run.
void addTail(Case &test, Random &random) {
  const auto behind = static_cast<uint32_t>(test.program.instructions.size());
  const auto count = static_cast<uint32_t>(random.between(1, 24));
  for (uint32_t i = 0; i < count; ++i) {
    InstructionWord word;
    for (uint8_t &byte : word)
      byte = static_cast<uint8_t>(random.bits());
    test.words.push_back({behind + i, word});
  }
}

/// STOREs alone, so that a reset comes among their bursts and answers.
std::vector<Instruction> storesOnly(const Machine &machine, Random &random) {
  InstructionDraw draw(machine, random, {AreaBytes, 1});
  std::vector<Instruction> list;
  for (int64_t i = random.between(4, 24); i > 0; --i)
    list.push_back(draw.store());
  list.push_back(Finish{});
  return list;
}

/// Whether the program starts again. Behind a memory that was slower than the machine waits for it depends on
/// the host's cycles when START takes effect (R30); behind one that stays silent it does not.
void drawHost(Case &test, const Machine &machine, Random &random) {
  const bool again = random.chance(test.memory.silence ? 60 : 10);
  const bool isSlow = test.memory.latencySpread >= machine.memoryTimeoutCycles;
  if (again && !isSlow) // behind a fault with what stands before the fault, else with all
    test.againTo = test.faulty ? *test.faulty : static_cast<uint32_t>(test.program.instructions.size() - 1);
}

constexpr uint64_t BehindTheEnd = 1'000'000; ///< every program has stopped by then

/// How a program is ended and when: in several cycles in succession, or behind its end. A program with a
/// fault is one behind its end.
void drawReset(Case &test, Random &random) {
  const bool isLegal = test.what == "legal", isAtTheEnd = !isLegal || random.chance(15);
  const int64_t kind = random.between(0, 99);
  test.resetAt = isAtTheEnd ? BehindTheEnd
                            : static_cast<uint64_t>(random.between(1, kind < 25   ? 20
                                                                      : kind < 75 ? 300
                                                                                  : 2000));
  test.resetsBefore = isAtTheEnd ? 0 : static_cast<uint64_t>(random.between(0, 8));
  test.resetBy = static_cast<ResetBy>(isLegal ? random.between(0, 3) : random.chance(50) ? 3 : 0);
  const bool startsAtOnce = test.resetBy == ResetBy::ControlAndStart || test.resetBy == ResetBy::StartBehind;
  if (startsAtOnce)
    test.hardware.hostSeed = 0; // the quick host sees cycle 0 of the new program
  if (!isLegal)
    return;
  static const char *const names[] = {"reset in mid-program", "START in one write with RESET",
                                      "START right behind RESET", "rst_ni in mid-program"};
  test.what = names[static_cast<unsigned>(test.resetBy)];
  if (random.chance(50))
    test.memory.throttlePercent = static_cast<uint32_t>(random.between(5, 70));
}

/// Values of the counters that no run reaches: short of 2^32, 2^40 and 2^48 and beyond.
uint64_t drawCounted(Random &random) {
  const uint64_t at = uint64_t(1) << (random.chance(60) ? 32 : 8 * random.between(4, 7));
  return at - static_cast<uint64_t>(random.chance(70) ? random.between(1, 300) : random.between(1, 100'000));
}

/// A host and an initial state that must not matter, and more ways to end a program in its middle.
void drawHardware(Case &test, Random random, bool hasReset) {
  if (random.chance(25))
    test.hardware.hostSeed = random.bits() >> 1;
  if (random.chance(50))
    test.hardware.stateSeed = static_cast<uint32_t>(random.bits() >> 33);
  if (hasReset || random.chance(8))
    drawReset(test, random);
  if (test.what == "legal" && !test.memory.throttlePercent && random.chance(33))
    drawAccesses(test, random);
  if (random.chance(10))
    test.hardware.counted = drawCounted(random);
}

/// The memory answers in the machine's time (R29), refused handshakes included, but where the case is about
/// that. A DRAM has latencies of its own.
void answerInTime(Case &test, const Machine &machine) {
  if (machine.memoryModel)
    test.memory.latencySpread = 0;
  if (test.what == "memory timeout")
    return;
  const uint32_t most = machine.memoryTimeoutCycles / 2;
  test.readLatency = std::min(test.readLatency, most);
  test.writeLatency = std::min(test.writeLatency, most);
  test.memory.latencySpread =
      std::min(test.memory.latencySpread, most - std::max(test.readLatency, test.writeLatency));
  if (machine.memoryTimeoutCycles < 256)
    test.memory.throttlePercent = 0;
}

/// One whose outcome depends on the cycle.
Case timedCase(Case test, const Machine &machine, Random &random, uint64_t seed) {
  drawMemory(test, random);
  const std::optional<unsigned> errorBase = drawTimed(test, machine, random);
  const std::array<uint64_t, BaseRegisters> bases = test.bases;
  drawLayout(test, random, lengthOf(test), false);
  for (unsigned base = 2; base < BaseRegisters; ++base)
    test.bases[base] = bases[base];
  if (errorBase || random.chance(60)) // what moves few bytes then takes few beats
    for (unsigned base : {0u, 1u})
      test.bases[base] -= test.bases[base] % machine.busBytes;
  if (test.memory.errorBytes)
    test.memory.errorAddress +=
        errorBase ? test.bases[*errorBase] / machine.busBytes * machine.busBytes : test.programAddress;
  drawHardware(test, Random(seed ^ 0x5bd1e995), false);
  answerInTime(test, machine);
  return test;
}

} // namespace

Case randomCase(const Machine &machine, uint64_t seed) {
  Random random(Random(seed * 0x9e3779b97f4a7c15 + 17).bits()); // neighbours share no numbers
  Case test;
  test.seed = random.bits() >> 1;
  if (random.chance(36))
    return timedCase(std::move(test), machine, random, seed);
  test.program = randomProgram(machine, test.seed, drawOptions(random)).program;
  drawMemory(test, random);
  const int64_t kind = random.between(0, 99);
  const bool hasFault = kind < 25, hasReset = kind >= 25 && kind < 32, hasTail = kind >= 90;
  if (hasReset && random.chance(60))
    test.program.instructions = storesOnly(machine, random);
  if (hasTail)
    addTail(test, random);
  drawLayout(test, random,
             test.program.instructions.size() + (hasFault ? AddedInstructions : test.words.size()),
             !hasFault && random.chance(30));
  renumberBases(test, random);
  if (random.chance(20))
    widen(test, random);
  if (hasFault)
    addFault(test, machine, random);
  if (!test.program.instructions.empty())
    drawHost(test, machine, random);
  drawHardware(test, Random(seed ^ 0x5bd1e995), hasReset);
  answerInTime(test, machine);
  return test;
}

} // namespace daedalus::cosim
