// Attribution and critical path: every cycle counts once, and for what it was.
#include "daedalus/simulator/profile.h"
#include "daedalus/simulator/program_profile.h"
#include "daedalus/simulator/random_program.h"
#include "unit/simulator/timing_test.h"

#include <gtest/gtest.h>

#include <numeric>

namespace daedalus::sim {
namespace {

using isa::CounterClass;
using isa::CounterModule;
using testing::builtin;
using testing::DeviceHarness;

constexpr auto Modules = {CounterModule::Fetch, CounterModule::Load, CounterModule::Gemm,
                          CounterModule::Vector, CounterModule::Store};

Profile profileOf(DeviceHarness &device, const std::vector<isa::Instruction> &instructions) {
  Profiler profiler;
  device->trace(&profiler);
  device.run(instructions);
  device->trace(nullptr);
  EXPECT_EQ(device.status(), isa::DeviceStatus::Done) << device->faultDetail();
  return profiler.finish(instructions, device->events(), device.cycles());
}

Profile randomProfile(DeviceHarness &device, unsigned seed) {
  const cosim::RandomProgram random = cosim::randomProgram(device->machine(), seed);
  device.write(DeviceHarness::Base0, random.constants);
  device.write(DeviceHarness::Base1, random.arena);
  return profileOf(device, random.program.instructions);
}

Profile profileOf(const isa::Machine &machine, const std::vector<isa::Instruction> &instructions) {
  DeviceHarness device("systemc", machine);
  return profileOf(device, instructions);
}

class RandomProfiles : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomProfiles, CountEveryCycleOnce) {
  const isa::Machine machine = builtin(GetParam());
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    DeviceHarness device("systemc", machine);
    const Profile profile = randomProfile(device, seed);
    std::array<ClassCycles, isa::CounterModuleCount> sums = profile.behind;
    for (const InstructionCycles &instruction : profile.instructions)
      for (unsigned c = 0; c < isa::CounterClassCount; ++c) {
        sums[0][c] += instruction.fetch[c];
        sums[static_cast<size_t>(instruction.module)][c] += instruction.own[c];
      }
    for (CounterModule module : Modules)
      for (unsigned c = 0; c < isa::CounterClassCount; ++c)
        EXPECT_EQ(sums[static_cast<size_t>(module)][c], device.counter(module, static_cast<CounterClass>(c)))
            << isa::name(module) << " " << c;
  }
}

/// Its segments lie behind each other, end where the next one's instruction waited for them, and none is made
/// up.
TEST_P(RandomProfiles, PathTilesTheRun) {
  const isa::Machine machine = builtin(GetParam());
  for (unsigned seed = 100; seed < 160; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    DeviceHarness device("systemc", machine);
    const Profile profile = randomProfile(device, seed);
    uint64_t cycle = 0;
    for (const PathSegment &segment : profile.path) {
      EXPECT_EQ(segment.first, cycle);
      EXPECT_LT(segment.first, segment.end);
      EXPECT_EQ(segment.instruction == NoInstruction, segment.first == 0) << "cycle " << cycle;
      cycle = segment.end;
    }
    EXPECT_EQ(cycle, profile.cycles);
    EXPECT_LE(profile.path.front().end, 1u) << "FETCH asks in cycle 1";
  }
}

/// Of the program alone, with fixed latencies and with a DRAM.
TEST_P(RandomProfiles, OfAProgramHasTheCyclesOfItsRuns) {
  for (const std::string memory : {"", ",clock_mhz=500,memory_timeout_cycles=65536,model=ddr4-2400"})
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + memory);
      const Result<isa::Machine> machine = isa::loadMachine(GetParam() + memory);
      ASSERT_TRUE(machine) << machine.error();
      const std::vector<uint8_t> words =
          isa::encodeWords(cosim::randomProgram(*machine, seed).program.instructions);
      const PlacedProgram program{words, 0x20000, {{{0, 16384}, {0x8000, 16384}}}};
      const Result<uint64_t> cycles = cyclesOf(*machine, program);
      const Result<Profile> profile = sim::profileOf(*machine, program);
      ASSERT_TRUE(cycles && profile) << (cycles ? profile.error() : cycles.error());
      EXPECT_EQ(profile->cycles, *cycles);
      EXPECT_EQ(profile->path.back().end, *cycles);
      EXPECT_EQ(profile->dram.reads.accesses() > 0, machine->memoryModel != 0);
    }
}

TEST(ProgramProfiles, OfNoProgram) {
  const std::vector<uint8_t> words(64, 0xff);
  EXPECT_FALSE(sim::profileOf(builtin("default"), {words, 0, {}}));
}

class KnownProfiles : public testing::TimingTest {
protected:
  /// "module class instruction first-end" of each segment.
  std::vector<std::string> path(std::vector<isa::Instruction> instructions) {
    instructions.push_back(isa::Finish{});
    std::vector<std::string> lines;
    for (const PathSegment &segment : profileOf(machine, instructions).path)
      lines.push_back(std::string(isa::name(segment.module)) + " " + isa::name(segment.what) + " " +
                      (segment.instruction == NoInstruction ? "-" : std::to_string(segment.instruction)) +
                      " " + std::to_string(segment.first) + "-" + std::to_string(segment.end));
    return lines;
  }
};

TEST_F(KnownProfiles, OfALoadAndWhoWaitsForIt) {
  isa::Load giving = load(16); // 73-147
  giving.signal = bit(isa::Module::Gemm);
  const std::vector<std::string> expected = {"fetch idle - 0-1",    "fetch memory 0 1-72",
                                             "fetch busy 0 72-73",  "load memory 0 73-147",
                                             "load busy 0 147-148", "gemm busy 1 148-150"};
  EXPECT_EQ(path({giving, mark(isa::Module::Gemm, bit(isa::Module::Load))}), expected);
}

/// STORE's burst leaves in 78 (R20), its beat is on the bus in 82 and answered in 146 (R19); STORE ends in
/// 147.
TEST_F(KnownProfiles, OfAStoreAndItsResponse) {
  const std::vector<std::string> expected = {"fetch idle - 0-1", "fetch memory 0 1-72", "fetch busy 0 72-73",
                                             "store busy 0 73-79", "store memory 0 79-148"};
  EXPECT_EQ(path({store(16)}), expected);
}

/// GEMM works on the first of two while the second one is fetched; then each waits for the one before.
TEST_F(KnownProfiles, OfAModuleThatIsBusy) {
  const std::vector<std::string> expected = {"fetch idle - 0-1", "fetch memory 0 1-72", "fetch busy 0 72-73",
                                             "gemm busy 0 73-100", "gemm busy 1 100-127"};
  EXPECT_EQ(path({gemm(20), gemm(20)}), expected);
}

/// Of instructions of a cycle each, FETCH decides: FINISH is in the head register in 80 (R5), GEMM ends
/// in 78.
TEST_F(KnownProfiles, OfShortInstructions) {
  const std::vector<std::string> expected = {"fetch idle - 0-1",   "fetch memory 0 1-72",
                                             "fetch busy 0 72-73", "fetch memory 1 73-76",
                                             "fetch busy 1 76-77", "fetch memory 2 77-80"};
  EXPECT_EQ(path({mark(isa::Module::Gemm), mark(isa::Module::Gemm)}), expected);
}

INSTANTIATE_TEST_SUITE_P(Machines, RandomProfiles, ::testing::ValuesIn(isa::builtinMachines()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::sim
