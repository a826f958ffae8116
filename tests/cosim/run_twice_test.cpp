// What the verifier accepts gives the same DRAM whatever the scratchpads and DRAM held before: mutated random
// programs run twice on every engine, with other patterns in all scratchpads and in all bytes behind base
// register 1 that the proof does not name as read. Bytes that it names as written must agree, all others
// stay. DAEDALUS_RUN_TWICE_PROGRAMS says how many accepted programs, DAEDALUS_RUN_TWICE_SEED which.
#include "common/device_base.h"
#include "cosim/mutate.h"
#include "cosim/random_data.h"
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/timing.h"
#include "daedalus/isa/tokens.h"
#include "daedalus/isa/verify.h"
#include "daedalus/simulator/random_program.h"
#include "setting.h"
#include "support/device_harness.h"

#include <iostream>

namespace daedalus::cosim {
namespace {

using namespace isa;
using testing::DeviceHarness;

constexpr uint32_t DramBytes = 16384; // behind each base register

/// Mutations may ask for billions of cycles: iterations, and bytes moved, of one instruction.
bool isShort(const Instruction &instruction) {
  return std::visit(
      [](const auto &i) {
        using I = std::decay_t<decltype(i)>;
        uint64_t steps = 1;
        if constexpr (InstructionInfo<I>::loopCount > 0)
          steps = iterationsOf(i.loops);
        if constexpr (std::is_same_v<I, Load> || std::is_same_v<I, Store>)
          steps *= i.runBytes;
        return steps <= 20000;
      },
      instruction);
}

struct Counts {
  uint64_t mutated = 0, accepted = 0, partialRows = 0, partialStores = 0;
  std::map<std::string, uint64_t> refused; ///< by the first finding's cause
};

class RunTwice : public ::testing::TestWithParam<std::string> {
protected:
  /// The next mutated program that is accepted.
  Proof next(uint64_t &seed) {
    for (;; ++seed) {
      make(seed);
      if (!std::all_of(data.program.instructions.begin(), data.program.instructions.end(), isShort))
        continue;
      ++counts.mutated;
      Proof proof = prove(data.program, machine);
      if (proof.findings.empty()) {
        count();
        return proof;
      }
      ++counts.refused[proof.findings[0].cause];
    }
  }

  void make(uint64_t seed) {
    ProgramOptions options;
    options.instructions = 10;
    options.iterations = 60;
    options.dramBytes = DramBytes;
    options.extraTokens = false;
    data = randomProgram(machine, seed, options);
    std::vector<Instruction> &instructions = data.program.instructions;
    instructions.pop_back();
    Mutator(machine, ~seed).mutate(instructions);
    assignTokens(instructions, machine, 1);
    instructions.push_back(Finish{});
  }

  void count() {
    ++counts.accepted;
    bool rows = false, stores = false;
    for (const Instruction &instruction : data.program.instructions) {
      for (const ScratchAccess &access : footprintOf(instruction, machine).scratch)
        rows = rows || !access.bytes.empty();
      if (const auto *store = std::get_if<Store>(&instruction))
        stores = stores || store->runBytes % machine.n;
    }
    counts.partialRows += rows;
    counts.partialStores += stores;
  }

  /// Runs the program on memories filled from `pattern`; the arena before and after.
  std::array<std::vector<uint8_t>, 2> run(DeviceHarness &device, const MemoryEffects &arena,
                                          uint64_t pattern) {
    auto &state = dynamic_cast<sim::DeviceBase &>(*device).state();
    for (Scope scope : {Scope::Inp, Scope::Wgt, Scope::Acc, Scope::Param, Scope::Lut, Scope::Out})
      fillRandomly(state.scratchpad(scope), pattern + static_cast<uint64_t>(scope));
    std::vector<uint8_t> before(DramBytes);
    fillRandomly(before, pattern);
    for (const auto &[begin, end] : arena.reads)
      std::copy(data.arena.begin() + begin, data.arena.begin() + end, before.begin() + begin);
    device.setBase(0, DeviceHarness::Base0, DramBytes);
    device.setBase(1, DeviceHarness::Base1, DramBytes);
    device.write(DeviceHarness::Base0, data.constants);
    device.write(DeviceHarness::Base1, before);
    device.run(data.program.instructions);
    EXPECT_EQ(device.status(), DeviceStatus::Done) << device->faultDetail();
    const uint8_t *arenaAfter = device->dram().data() + DeviceHarness::Base1;
    return {before, std::vector<uint8_t>(arenaAfter, arenaAfter + DramBytes)};
  }

  bool agree(const MemoryEffects &arena, const std::array<std::vector<uint8_t>, 2> &one,
             const std::array<std::vector<uint8_t>, 2> &two) {
    for (int64_t byte = 0; byte < DramBytes; ++byte) {
      const auto at = static_cast<size_t>(byte);
      if (arena.writes.missing(Range{byte, byte + 1}) ? one[0][at] != one[1][at] || two[0][at] != two[1][at]
                                                      : one[1][at] != two[1][at]) {
        ADD_FAILURE() << "byte " << byte << " of base register 1: " << int(one[0][at]) << " became "
                      << int(one[1][at]) << ", and " << int(two[0][at]) << " became " << int(two[1][at])
                      << "\n"
                      << disassemble(data.program);
        return false;
      }
    }
    return true;
  }

  const Machine machine = testing::builtin("tiny");
  RandomProgram data;
  Counts counts;
};

TEST_P(RunTwice, AcceptedProgramsGiveTheSameDram) {
  DeviceHarness device(GetParam(), machine);
  uint64_t seed = setting("DAEDALUS_RUN_TWICE_SEED", 1);
  const uint64_t programs = setting("DAEDALUS_RUN_TWICE_PROGRAMS", 300);
  for (; counts.accepted < programs && !HasFailure(); ++seed) {
    const Proof proof = next(seed);
    const auto one = run(device, proof.effects[1], 2 * seed), two = run(device, proof.effects[1], ~seed);
    if (!agree(proof.effects[1], one, two))
      std::cout << "seed " << seed << "\n";
  }
  std::cout << counts.mutated << " mutated programs, " << counts.accepted << " accepted, of which "
            << counts.partialRows << " load parts of rows and " << counts.partialStores
            << " store parts; refused";
  for (const auto &[cause, count] : counts.refused)
    std::cout << " " << count << " " << cause;
  std::cout << "\n";
  EXPECT_GT(4 * counts.partialRows, counts.accepted); // else the mutations miss what this test is about
}

INSTANTIATE_TEST_SUITE_P(Engines, RunTwice, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::cosim
