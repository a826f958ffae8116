// One function a cause. An instruction somewhere in the program is spoiled; the verifier tells whether only
// that one is wrong: a spoiled LOAD that writes where another instruction reads would be a race.
#include "cosim/random_fault.h"

#include "cosim/pick.h"
#include "cosim/random_wide.h"

#include "daedalus/isa/footprint.h"
#include "daedalus/isa/verify.h"

#include <algorithm>
#include <set>

namespace daedalus::cosim {
namespace {

using namespace isa;

constexpr unsigned Attempts = 40;

uint8_t bit(Module module) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(module));
}

std::pair<Module, Module> twoModules(Random &random) {
  const auto first = static_cast<unsigned>(random.between(0, 3));
  const auto second = static_cast<unsigned>(first + random.between(1, 3)) % 4;
  return {static_cast<Module>(first), static_cast<Module>(second)};
}

/// The address behind the memory.
uint64_t endOf(const Case &test) {
  return test.memory.origin + test.dramBytes;
}

/// The faulty instruction gets a base register of its own, with the address and limit of the one it had.
unsigned ownBase(Case &test, Instruction &instruction) {
  unsigned free = 0;
  while (test.program.bases[free].limit)
    ++free;
  const auto take = [&](auto &transfer) {
    test.program.bases[free] = {test.program.bases[transfer.base].limit, false};
    test.bases[free] = test.bases[transfer.base];
    transfer.base = static_cast<uint8_t>(free);
  };
  if (auto *load = std::get_if<Load>(&instruction))
    take(*load);
  else
    take(std::get<Store>(instruction));
  return free;
}

/// A LOAD or a STORE, of which there are fewer.
uint32_t pickTransfer(const std::vector<Instruction> &list, Random &random) {
  const uint32_t at = random.chance(45) ? pick<Store>(list, random) : pick<Load>(list, random);
  return at < list.size() ? at : pick<Load, Store>(list, random);
}

uint32_t &offsetOf(Instruction &instruction) {
  if (auto *load = std::get_if<Load>(&instruction))
    return load->offset;
  return std::get<Store>(instruction).offset;
}

/// The loops go down in DRAM, over the same bytes.
void goDown(Instruction &instruction) {
  const auto turn = [](auto &transfer) {
    for (auto &loop : transfer.loops)
      if (loop.dramStride > 0) {
        transfer.offset += static_cast<uint32_t>(loop.count - 1) * static_cast<uint32_t>(loop.dramStride);
        loop.dramStride = -loop.dramStride;
      }
  };
  if (auto *load = std::get_if<Load>(&instruction))
    turn(*load);
  else
    turn(std::get<Store>(instruction));
}

/// Some bytes behind the limit, or before the base register.
bool addressLimit(Case &test, const Machine &machine, Random &random) {
  const uint32_t at = pickTransfer(test.program.instructions, random);
  if (at == test.program.instructions.size())
    return false;
  Instruction &instruction = test.program.instructions[at];
  const Footprint footprint = footprintOf(instruction, machine);
  if (footprint.dram.empty())
    return false;
  const int64_t begin = footprint.dram.front().begin, end = footprint.dram.back().end;
  test.faulty = at;
  const unsigned base = ownBase(test, instruction);
  const int64_t lack = random.chance(40) ? 1 : random.between(1, end - begin);
  if (random.chance(70)) {
    test.program.bases[base].limit = static_cast<uint32_t>(end - lack);
    return true;
  }
  goDown(instruction);
  const int64_t moved = begin + lack; // the first bytes come before the base register
  if (moved > offsetOf(instruction))
    return false; // the offset itself cannot be negative
  offsetOf(instruction) -= static_cast<uint32_t>(moved);
  test.bases[base] += static_cast<uint64_t>(moved);
  return true;
}

/// Offsets and limit lie at the top of 32 bits: the run's end is 2^32 or more, and its bytes are memory all
/// the same.
bool limitAtTheTop(Case &test, const Machine &machine, Random &random) {
  const uint32_t at = pickTransfer(test.program.instructions, random);
  if (at == test.program.instructions.size())
    return false;
  Instruction &instruction = test.program.instructions[at];
  const Footprint footprint = footprintOf(instruction, machine);
  if (footprint.dram.empty())
    return false;
  const int64_t end = footprint.dram.back().end, top = int64_t(1) << 32;
  const int64_t last = random.chance(60) ? std::min<int64_t>(end, 16) : std::min<int64_t>(end, 4096);
  const int64_t shift =
      top - end + random.between(0, last - 1); // the last byte is the limit or lies behind it
  if (shift + offsetOf(instruction) >= top)
    return false;
  test.faulty = at;
  const unsigned base = ownBase(test, instruction);
  test.bases[base] -= static_cast<uint64_t>(shift);
  offsetOf(instruction) += static_cast<uint32_t>(shift);
  test.program.bases[base].limit =
      UINT32_MAX - static_cast<uint32_t>(random.chance(50) ? 0 : random.between(0, 64));
  return true;
}

/// Some beats from the one that holds the byte on are answered with errors.
void answerWithError(Case &test, const Machine &machine, uint64_t address, Random &random) {
  const uint64_t bus = machine.busBytes;
  test.memory.errorAddress = address / bus * bus;
  test.memory.errorBytes = bus * static_cast<uint64_t>(random.chance(60) ? 1 : random.between(2, 12));
}

/// That beat alone is answered with an error.
void answerWithErrorInBeat(Case &test, const Machine &machine, uint64_t address) {
  test.memory.errorAddress = address / machine.busBytes * machine.busBytes;
  test.memory.errorBytes = machine.busBytes;
}

/// The program goes on past the end of the memory, or a beat of it, finish included, is answered with an
/// error: any beat, or the last one of a burst.
bool fetchBusError(Case &test, const Machine &machine, Random &random) {
  const auto bytes = static_cast<int64_t>(test.program.instructions.size() * InstructionBytes);
  if (random.chance(35)) {
    const uint64_t burst = uint64_t(machine.fetchBurst) * InstructionBytes;
    const uint64_t any = test.programAddress + static_cast<uint64_t>(random.between(0, bytes - 1));
    answerWithErrorInBeat(test, machine,
                          std::min(any / burst * burst + burst, test.programAddress + uint64_t(bytes)) - 1);
    return true;
  }
  if (random.chance(60)) {
    answerWithError(test, machine, test.programAddress + static_cast<uint64_t>(random.between(0, bytes - 1)),
                    random);
    return true;
  }
  const int64_t inside = random.between(
      0, std::min<int64_t>(int64_t(test.program.instructions.size()) - 1, FreeBytes / InstructionBytes));
  test.programAddress = endOf(test) - static_cast<uint64_t>(inside) * InstructionBytes;
  if (random.chance(20))
    test.programAddress += uint64_t(1) << random.between(20, 63);
  return true;
}

/// The limit ends somewhere in the program, finish included; sometimes in its first instruction.
bool fetchLimit(Case &test, const Machine &, Random &random) {
  const auto bytes = static_cast<int64_t>(test.program.instructions.size() * InstructionBytes);
  test.programLimit = static_cast<uint32_t>(random.chance(40) ? bytes - 1 : random.between(1, bytes - 1));
  return true;
}

/// What the instruction moves lies behind all else, and some of its beats are answered with errors.
bool errorInMemory(Case &test, const Machine &machine, Random &random, Instruction &instruction,
                   const Footprint &footprint) {
  const unsigned base = ownBase(test, instruction);
  const auto begin = static_cast<uint64_t>(footprint.dram.front().begin),
             end = static_cast<uint64_t>(footprint.dram.back().end);
  const uint64_t place = endOf(test) + static_cast<uint64_t>(random.between(0, 63));
  test.bases[base] = place - begin;
  test.dramBytes =
      (place - test.memory.origin + end - begin + InstructionBytes - 1) / InstructionBytes * InstructionBytes;
  const auto &run = footprint.dram[random.between(0, int64_t(footprint.dram.size()) - 1)];
  if (random.chance(40)) // the last beat alone
    answerWithErrorInBeat(test, machine, test.bases[base] + static_cast<uint64_t>(run.end - 1));
  else
    answerWithError(test, machine,
                    test.bases[base] + static_cast<uint64_t>(random.between(run.begin, run.end - 1)), random);
  return true;
}

/// The base register points past the end of the memory, or so that the end is in the middle; or the memory
/// answers with errors.
bool busError(Case &test, const Machine &machine, Random &random) {
  const uint32_t at = pickTransfer(test.program.instructions, random);
  if (at == test.program.instructions.size())
    return false;
  Instruction &instruction = test.program.instructions[at];
  const Footprint footprint = footprintOf(instruction, machine);
  if (footprint.dram.empty())
    return false;
  const int64_t begin = footprint.dram.front().begin, end = footprint.dram.back().end;
  test.faulty = at;
  if (random.chance(20))
    test.memory.throttlePercent = static_cast<uint32_t>(random.between(30, 80));
  if (random.chance(60))
    return errorInMemory(test, machine, random, instruction, footprint);
  const int64_t inside = random.between(0, std::min<int64_t>(end - begin - 1, FreeBytes));
  const unsigned base = ownBase(test, instruction);
  if (random.chance(70)) // what is inside lies where nothing else is
    test.bases[base] = endOf(test) - static_cast<uint64_t>(inside + begin);
  else
    test.bases[base] |= uint64_t(1) << random.between(20, 63);
  return true;
}

/// Bits are changed until the word is no instruction.
bool illegalEncoding(Case &test, const Machine &machine, Random &random) {
  const auto at = static_cast<uint32_t>(random.between(0, int64_t(test.program.instructions.size()) - 1));
  InstructionWord word = encode(test.program.instructions[at]);
  const int64_t kind = random.between(0, 9);
  if (kind == 0)
    word[0] = static_cast<uint8_t>(random.bits());
  if (kind == 1)
    word[3] = static_cast<uint8_t>(random.bits());
  for (unsigned changes = 0; decode(word, machine); ++changes) {
    if (changes == 1000)
      return false; // zeroed bytes have made a legal nop of it
    const auto change = static_cast<unsigned>(random.between(0, 511));
    if (kind < 8)
      word[change / 8] ^= static_cast<uint8_t>(1u << change % 8);
    else
      word[change / 8] = 0; // counts of zero among them
    if (kind == 8)
      word[change / 8 ^ 1] = 0;
    if (kind == 9 && random.chance(20))
      word[random.between(0, 3)] = static_cast<uint8_t>(random.bits());
  }
  test.words.push_back({at, word});
  test.faulty = at;
  return true;
}

/// An instruction waits for a token more than there is, or one does not give its token. Both only delay what
/// comes behind them.
bool noProgress(Case &test, const Machine &, Random &random) {
  auto &list = test.program.instructions;
  const auto [producer, consumer] = twoModules(random);
  if (random.chance(50)) {
    const uint32_t at = pick<Load, Gemm, Vector, Store, Nop, Mark>(list, random);
    if (at == list.size() || !signalMask(list[at]))
      return false;
    setSignalMask(list[at], signalMask(list[at]) & (signalMask(list[at]) - 1));
    return true;
  }
  list.insert(list.begin() + random.between(0, int64_t(list.size()) - 1), Nop{bit(producer), 0, consumer, 0});
  return true;
}

/// The memory falls silent on some channel, or is slower than the machine waits for, some of the time. When
/// is a matter of cycles. Of machines that wait for long nobody waits here, and a DRAM always answers.
bool memoryTimeout(Case &test, const Machine &machine, Random &random) {
  constexpr uint32_t most = 2000;
  if (machine.memoryTimeoutCycles > most || machine.memoryModel)
    return false;
  test.timed = true;
  test.memory.throttlePercent = 0;
  if (random.chance(30)) {
    test.memory.latencySpread = machine.memoryTimeoutCycles + static_cast<uint32_t>(random.between(0, most));
    return true;
  }
  test.memory.silence =
      sim::Silence{static_cast<sim::BusChannel>(random.between(0, 4)),
                   static_cast<uint64_t>(random.between(0, random.chance(40) ? 4 : 200)), false};
  return true;
}

/// More tokens than a counter holds, behind all others of the pair. Which one is too many is a matter of
/// time.
bool counterOverflow(Case &test, const Machine &, Random &random) {
  test.memory.throttlePercent = 0;
  auto &list = test.program.instructions;
  const auto [producer, consumer] = twoModules(random);
  size_t last = 0;
  for (size_t i = 0; i + 1 < list.size(); ++i)
    if (moduleOf(list[i]) == producer && signalMask(list[i]) & bit(consumer))
      last = i + 1;
  const auto at = random.between(int64_t(last), int64_t(list.size()) - 1);
  list.insert(list.begin() + at, static_cast<size_t>(TokenCounterMax + random.between(1, 8)),
              Nop{0, bit(consumer), producer, 0});
  return true;
}

bool missingFinish(Case &test, const Machine &, Random &random) {
  test.program.instructions.pop_back();
  if (random.chance(5))
    test.program.instructions.clear();
  return true;
}

} // namespace

bool isComparable(const Case &test, const Machine &machine) {
  if (test.timed)
    return true; // its faults are several; it writes nothing that is compared
  static const std::set<std::string> ofProgram = {"missing_finish", "token_never_comes", "token_left_over",
                                                  "counter_overflow"};
  static const std::set<std::string> ofInstruction = {"scratchpad_range", "address_limit", "unwritten_row",
                                                      "self_overwrite"};
  for (const Finding &finding : verify(test.program, machine, 1000)) {
    const bool isOfFault =
        test.faulty && finding.instruction == *test.faulty && ofInstruction.count(finding.cause);
    if (test.what == "legal" || (!ofProgram.count(finding.cause) && !isOfFault))
      return false;
  }
  return true;
}

void addFault(Case &test, const Machine &machine, Random &random) {
  static const struct {
    const char *what;
    bool (*put)(Case &, const Machine &, Random &);
    unsigned weight;
  } causes[] = {{"illegal encoding", illegalEncoding, 3},
                {"address limit", addressLimit, 4},
                {"bus error", busError, 3},
                {"far address limit", farAddressLimit, 2},
                {"limit at 4 GiB", limitAtTheTop, 2},
                {"scratchpad range", scratchpadRange, 5},
                {"fetch bus error", fetchBusError, 2},
                {"fetch limit", fetchLimit, 1},
                {"missing token", noProgress, 2},
                {"counter overflow", counterOverflow, 1},
                {"missing finish", missingFinish, 1},
                {"memory timeout", memoryTimeout, 2}};
  int64_t draw = random.between(0, 27);
  size_t cause = 0;
  while (draw >= causes[cause].weight)
    draw -= causes[cause++].weight;
  for (unsigned attempt = 0; attempt < Attempts; ++attempt) {
    Case candidate = test;
    candidate.what = causes[cause].what;
    if (!causes[cause].put(candidate, machine, random) || !isComparable(candidate, machine))
      continue;
    test = std::move(candidate);
    return;
  }
}

} // namespace daedalus::cosim
