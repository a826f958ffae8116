// Random programs with random surroundings; most are legal, some have one fault. A faulty instruction comes last,
// behind all others by tokens: so it is the only one that is wrong, on every engine.
#include "cosim/random.h"
#include "daedalus/isa/tokens.h"
#include "daedalus/simulator/cosim.h"
#include "daedalus/simulator/random_program.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

using namespace isa;

uint8_t bit(Module module) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(module));
}

/// Appends the instruction before FINISH, waiting for all that other modules did before.
uint32_t appendLast(Case &test, Instruction instruction) {
  std::vector<Instruction> &list = test.program.instructions;
  const Module own = *moduleOf(instruction);
  uint8_t wait = 0;
  list.pop_back(); // finish
  for (unsigned m = 0; m < ModuleCount; ++m)
    if (const auto other = static_cast<Module>(m); other != own) {
      list.push_back(Nop{0, bit(own), other, 0});
      wait |= bit(other);
    }
  setWaitMask(instruction, wait);
  setSignalMask(instruction, 0);
  list.push_back(instruction);
  list.push_back(Finish{});
  return static_cast<uint32_t>(list.size() - 2);
}

void illegalEncoding(Case &test, Random &random) {
  const auto &list = test.program.instructions;
  const uint32_t index = static_cast<uint32_t>(random.between(0, int64_t(list.size()) - 1));
  InstructionWord word = encode(list[index]);
  switch (random.between(0, 3)) {
  case 0:
    word[0] = static_cast<uint8_t>(random.between(7, 255));
    break;
  case 1:
    word[3] ^= static_cast<uint8_t>(1 + random.bits() % 255); // reserved in every instruction
    break;
  case 2:
    word[63] ^= 0x80;
    break;
  default:
    for (uint8_t &byte : word)
      byte = static_cast<uint8_t>(random.bits());
    word[3] |= 1;
  }
  test.words.push_back({index, word});
}

Load plainLoad(Random &random) {
  Load load;
  load.scope = Scope::Inp;
  load.unbounded = true;
  load.base = 1;
  load.runBytes = static_cast<uint16_t>(random.between(1, 200));
  load.loops[2] = {static_cast<uint16_t>(random.between(1, 4)), static_cast<int32_t>(random.between(0, 256)), 0};
  return load;
}

Store plainStore(Random &random) {
  Store store;
  store.scope = Scope::Out;
  store.base = 1;
  store.runBytes = static_cast<uint16_t>(random.between(1, 200));
  store.loops[2] = {static_cast<uint16_t>(random.between(1, 4)), static_cast<int32_t>(random.between(0, 256)), 0};
  return store;
}

void addressLimit(Case &test, Random &random) {
  const uint32_t limit = test.program.bases[1].limit;
  const auto offset = static_cast<uint32_t>(limit - random.between(0, 150));
  Load load = plainLoad(random);
  Store store = plainStore(random);
  load.offset = store.offset = offset;
  load.runBytes = store.runBytes = static_cast<uint16_t>(random.between(limit - offset + 1, 300));
  if (random.chance(30)) { // before the base register
    load.offset = store.offset = 8;
    load.loops[2] = {3, -8, 0};
    store.loops[2] = {3, -8, 0};
  }
  random.chance(50) ? appendLast(test, load) : appendLast(test, store);
}

void busError(Case &test, Random &random) {
  // Base register 1 reaches beyond the memory; what lies there is touched by the last instruction alone.
  test.base1 = test.dramBytes - test.program.bases[1].limit;
  test.limit1 = test.program.bases[1].limit + 4096;
  Load load = plainLoad(random);
  Store store = plainStore(random);
  load.offset = store.offset = test.program.bases[1].limit - static_cast<uint32_t>(random.between(0, 64));
  load.runBytes = store.runBytes = static_cast<uint16_t>(random.between(128, 300));
  random.chance(50) ? appendLast(test, load) : appendLast(test, store);
}

/// The memory ends in the middle of the program.
void fetchBusError(Case &test, Random &random) {
  const auto count = static_cast<int64_t>(test.program.instructions.size());
  test.dramBytes = test.programAddress + isa::InstructionBytes * static_cast<uint64_t>(random.between(0, count - 1));
}

void scratchpadRange(Case &test, const Machine &machine, Random &random) {
  const auto rows = [&](Scope scope) { return static_cast<uint16_t>(machine.rows(scope) - 1); };
  const auto count = static_cast<uint16_t>(random.between(2, 9));
  Load load = plainLoad(random);
  load.dst = machine.inpBytes - static_cast<uint32_t>(random.between(1, load.runBytes - 1 ? load.runBytes - 1 : 1));
  load.runBytes = static_cast<uint16_t>(load.runBytes + 1);
  Store store = plainStore(random);
  store.src = rows(Scope::Out);
  store.runBytes = static_cast<uint16_t>(machine.n + random.between(1, 100));
  Gemm gemm;
  gemm.acc = rows(Scope::Acc);
  gemm.loops[random.between(0, 5)] = {count, 0, 0, 1};
  Vector vector;
  vector.op = VectorOp::Mov;
  vector.aScope = Scope::Inp;
  vector.dstScope = Scope::Out;
  vector.dst = rows(Scope::Out);
  vector.loops[random.between(0, 4)] = {count, static_cast<int16_t>(random.chance(50) ? 1 : -30000), 0, 0};
  const Instruction all[] = {load, store, gemm, vector};
  appendLast(test, all[random.between(0, 3)]);
}

/// An instruction waits for one token more than there is; a wait more only makes the program stricter.
void noProgress(Case &test, Random &random) {
  auto &list = test.program.instructions;
  const auto consumer = static_cast<Module>(random.between(0, 3));
  const auto producer = static_cast<Module>((static_cast<unsigned>(consumer) + random.between(1, 3)) % 4);
  const auto at = random.between(0, int64_t(list.size()) - 1);
  list.insert(list.begin() + at, Nop{bit(producer), 0, consumer, 0});
}

/// Tokens behind all that count, more than a counter holds.
void counterOverflow(Case &test, Random &random) {
  auto &list = test.program.instructions;
  const auto producer = static_cast<Module>(random.between(0, 3));
  const auto consumer = static_cast<Module>((static_cast<unsigned>(producer) + random.between(1, 3)) % 4);
  list.insert(list.end() - 1, TokenCounterMax + 1, Nop{0, bit(consumer), producer, 0});
}

void addFault(Case &test, const Machine &machine, Random &random) {
  switch (random.between(0, 8)) {
  case 0:
    test.what = "illegal encoding";
    return illegalEncoding(test, random);
  case 1:
    test.what = "address limit";
    return addressLimit(test, random);
  case 2:
    test.what = "bus error";
    return busError(test, random);
  case 3:
    test.what = "scratchpad range";
    return scratchpadRange(test, machine, random);
  case 4:
    test.what = "missing token";
    return noProgress(test, random);
  case 5:
    test.what = "counter overflow";
    return counterOverflow(test, random);
  case 6:
    test.what = "fetch bus error";
    return fetchBusError(test, random);
  case 7:
    test.what = "missing finish";
    test.program.instructions.pop_back();
    return;
  default:
    test.what = "reset in mid-program";
    test.resetAt = static_cast<uint64_t>(random.between(1, 1500));
  }
}

} // namespace

Case randomCase(const Machine &machine, uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15 + 17);
  Case test;
  test.seed = random.bits() >> 1;
  test.what = "legal";
  ProgramOptions options;
  options.instructions = static_cast<unsigned>(random.between(5, 40));
  options.iterations = random.chance(50) ? 12 : 120; // many short ones, or some long ones
  options.extraTokens = random.chance(50);
  test.program = randomProgram(machine, test.seed, options).program;
  test.readLatency = static_cast<uint32_t>(random.chance(50) ? random.between(1, 12) : random.between(1, 120));
  test.writeLatency = static_cast<uint32_t>(random.chance(50) ? random.between(1, 12) : random.between(1, 120));
  test.memory.seed = random.bits();
  test.memory.latencySpread = random.chance(30) ? static_cast<uint32_t>(random.between(1, 60)) : 0;
  test.memory.throttlePercent = random.chance(15) ? static_cast<uint32_t>(random.between(5, 70)) : 0;
  test.base0 += static_cast<uint64_t>(random.between(0, 4095));
  test.base1 += static_cast<uint64_t>(random.between(0, 4095));
  test.programAddress += 64 * static_cast<uint64_t>(random.between(0, 63));
  test.dramBytes += 64 * static_cast<uint64_t>(random.between(0, 63));
  if (random.chance(25))
    addFault(test, machine, random);
  return test;
}

} // namespace daedalus::cosim
