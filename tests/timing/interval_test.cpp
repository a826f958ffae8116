// The intervals of docs/intervals.md against runs whose latencies vary from burst to burst: random programs
// on random machines, with memories of many kinds, and a search for the longest and the shortest run. A
// planted arbiter has to be found.
//
//   DAEDALUS_INTERVAL_PROGRAMS=100000 DAEDALUS_TIMING_SEED=7 bin/interval_test    # more, from another seed
#include "device_run.h"
#include "jitter.h"

#include "systemc/engine.h"

#include <cstdlib>
#include <iostream>

namespace daedalus::timing {
namespace {

using clocked::Arbiter;
using clocked::BurstLatency;

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// A random program that ends with FINISH.
TestProgram finishedProgram(Random &random, const isa::Machine &machine) {
  TestProgram program = randomProgram(random, machine, 60);
  auto &list = program.instructions;
  while (!std::holds_alternative<isa::Finish>(list.back()) ||
         (list.size() > 1 && std::holds_alternative<isa::Finish>(list[list.size() - 2])))
    list.pop_back();
  encodeProgram(program);
  return program;
}

/// A machine on which FETCH waits long behind LOAD: instructions are few in its buffer or many, and so are
/// LOAD's beats.
isa::Machine racingMachine(Random &random) {
  isa::Machine machine = randomMachine(random);
  machine.n = 32;
  machine.busBytes = 8u << random.below(3);
  machine.fetchBurst = 1u << random.below(2);
  machine.fetchBuffer = machine.fetchBurst << random.below(7);
  machine.maxBurstBeats = 16u << random.below(3);
  machine.receiveBeats = machine.maxBurstBeats + random.below(400);
  machine.outstandingReads = random.between(4, 40);
  machine.watchdogCycles = machine.fetchBuffer + 32 + random.below(300);
  return machine;
}

/// Long loads, and instructions that wait for nothing: the end comes with the last instruction, or with the
/// last load.
TestProgram racingProgram(Random &random, const isa::Machine &machine) {
  TestProgram program;
  program.setup.machine = machine;
  program.setup.dramBytes = DramBytes;
  program.setup.programAddress = Code + 64 * random.below(4);
  program.setup.bases[0] = {0, 0x4000};
  const uint32_t loads = random.between(2, 40); // of 100 instructions
  for (unsigned i = random.between(10, 150); i > 0; --i) {
    if (!random.percent(loads)) {
      program.instructions.push_back(isa::Nop{0, 0, isa::Module::Gemm, 0});
      continue;
    }
    isa::Load load;
    load.scope = isa::Scope::Inp;
    load.unbounded = true;
    load.runBytes = random.between(1, 2000);
    load.offset = random.below(2000);
    load.loops[0].count = random.between(1, 5);
    program.instructions.push_back(load);
  }
  program.instructions.push_back(isa::Finish());
  encodeProgram(program);
  return program;
}

Result<sim::Interval> intervalOf(const TestProgram &program, const sim::MemoryLatencies &ranges) {
  const clocked::HostSetup &setup = program.setup;
  std::vector<uint8_t> words;
  for (const isa::InstructionWord &word : setup.program)
    words.insert(words.end(), word.begin(), word.end());
  sim::PlacedProgram placed;
  placed.words = words;
  placed.address = setup.programAddress;
  for (unsigned base = 0; base < isa::BaseRegisters; ++base)
    placed.bases[base] = {setup.bases[base].address, setup.bases[base].limit};
  return sim::intervalOf(setup.machine, placed, ranges);
}

/// Runs of one program on a device.
class Runs {
public:
  Runs(testing::DeviceHarness &device, const TestProgram &program) : device(device), program(program) {}
  ~Runs() { engine().setTiming({}); }

  clocked::Outcome with(const BurstLatency &latency) {
    engine().setTiming({latency, nullptr});
    ++count;
    return runOnDevice(device, program);
  }
  uint64_t cyclesWith(const BurstLatency &latency) {
    const clocked::Outcome outcome = with(latency);
    EXPECT_EQ(outcome.fault.cause, isa::FaultCause::None) << describe(program);
    return outcome.cycles;
  }

  uint64_t count = 0;

private:
  sim::systemc::Engine &engine() { return dynamic_cast<sim::systemc::Engine &>(*device); }

  testing::DeviceHarness &device;
  const TestProgram &program;
};

/// How far the ends of the intervals lie from the runs; printed for the record.
struct Tightness {
  uint64_t programs = 0, runs = 0, anomalies = 0;
  double widest = 1, sum = 0, lowest = 1, lowSum = 0;

  void add(const sim::Interval &interval, uint64_t shortest, uint64_t longest, uint64_t made) {
    const double above = double(interval.upper) / double(longest);
    const double below = double(shortest) / double(interval.lower);
    programs += 1;
    runs += made;
    sum += above;
    lowSum += below;
    widest = std::max(widest, above);
    lowest = std::max(lowest, below);
  }
  /// A run was longer than that with the greatest latencies, or shorter than that with the least.
  void addAnomaly(bool isOne) { anomalies += isOne; }
  void print() const {
    std::cout << programs << " programs, " << runs << " runs; upper over the longest run: mean "
              << sum / double(programs) << ", greatest " << widest << "; the shortest run over lower: mean "
              << lowSum / double(programs) << ", greatest " << lowest << "; " << anomalies
              << " programs with a run outside of those with all latencies least and greatest\n";
  }
};

std::string text(const sim::MemoryLatencies &ranges) {
  const auto range = [](const sim::LatencyRange &r) {
    return std::to_string(r.least) + ":" + std::to_string(r.greatest);
  };
  return "read " + range(ranges.read) + ", write " + range(ranges.write);
}

/// One program with one pair of ranges under every memory.
void checkProgram(testing::DeviceHarness &device, Random &random, const TestProgram &program,
                  Tightness &tightness) {
  const sim::MemoryLatencies ranges = randomLatencies(random, program.setup.machine);
  const auto interval = intervalOf(program, ranges);
  ASSERT_TRUE(interval) << interval.error() << "\n" << describe(program);
  Runs runs(device, program);
  uint64_t shortest = ~uint64_t(0), longest = 0;
  std::array<uint64_t, 2> ends{}; // with all latencies least, and greatest
  const auto check = [&](uint64_t cycles, const std::string &memory) {
    EXPECT_LE(interval->lower, cycles) << memory << ", " << text(ranges) << "\n" << describe(program);
    EXPECT_GE(interval->upper, cycles) << memory << ", " << text(ranges) << "\n" << describe(program);
    shortest = std::min(shortest, cycles);
    longest = std::max(longest, cycles);
  };
  const uint64_t seed = random.below(1u << 30);
  for (unsigned kind = 0; kind <= static_cast<unsigned>(Jitter::Last); ++kind) {
    const Jitter jitter = static_cast<Jitter>(kind);
    const uint64_t cycles = runs.cyclesWith(latencyOf(jitter, ranges, seed));
    if (kind < ends.size())
      ends[kind] = cycles;
    check(cycles, name(jitter));
  }
  const auto cyclesOf = [&](const BurstLatency &latency) { return runs.cyclesWith(latency); };
  check(search(random, ranges, false, 6, cyclesOf), "a search for the shortest run");
  check(search(random, ranges, true, 6, cyclesOf), "a search for the longest run");
  tightness.add(*interval, shortest, longest, runs.count);
  tightness.addAnomaly(shortest < ends[0] || longest > ends[1]);
}

constexpr unsigned ProgramsPerMachine = 8;

/// So many programs, each by `makeProgram` for a machine by `makeMachine`. `stream` tells the random numbers
/// of the tests apart.
template <class MakeMachine, class MakeProgram>
void checkPrograms(unsigned stream, uint64_t count, MakeMachine makeMachine, MakeProgram makeProgram) {
  const uint64_t seed = setting("DAEDALUS_TIMING_SEED", 1) * 1000 + stream;
  Tightness tightness;
  for (uint64_t group = 0; group * ProgramsPerMachine < count; ++group) {
    Random random(seed * 1'000'000'007 + group);
    const isa::Machine machine = makeMachine(random);
    testing::DeviceHarness device("systemc", machine, true, DramBytes);
    SCOPED_TRACE("group " + std::to_string(group));
    for (unsigned i = 0; i < ProgramsPerMachine; ++i) {
      checkProgram(device, random, makeProgram(random, machine), tightness);
      if (::testing::Test::HasFailure())
        return;
    }
  }
  tightness.print();
}

TEST(IntervalTest, RunsOfRandomProgramsLieInTheirIntervals) {
  checkPrograms(500, setting("DAEDALUS_INTERVAL_PROGRAMS", 1500), randomMachine, finishedProgram);
}

TEST(IntervalTest, RunsThatWaitForFetchLieInTheirIntervals) {
  checkPrograms(505, setting("DAEDALUS_INTERVAL_PROGRAMS", 1500) / 2, racingMachine, racingProgram);
}

/// So many random programs with memories, each handed to `visit` with its device.
template <class Visit> void visitPrograms(unsigned stream, uint64_t count, Visit visit) {
  const uint64_t seed = setting("DAEDALUS_TIMING_SEED", 1) * 1000 + stream;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed * 1'000'000'007 + i);
    const isa::Machine machine = randomMachine(random);
    testing::DeviceHarness device("systemc", machine, true, DramBytes);
    TestProgram program = finishedProgram(random, machine);
    const sim::MemoryLatencies ranges = randomLatencies(random, machine);
    program.setup.latency = latencyOf(static_cast<Jitter>(random.below(8)), ranges, i);
    visit(device, program, ranges);
  }
}

/// The model written from the rules alone takes as many cycles as the engine, burst by burst.
TEST(IntervalTest, TheClockedModelAgreesWhereLatenciesVary) {
  visitPrograms(510, setting("DAEDALUS_INTERVAL_PROGRAMS", 400),
                [](auto &device, auto &program, auto &ranges) {
                  const clocked::Outcome expected = clocked::Core(program.setup).run();
                  EXPECT_EQ(difference(expected, Runs(device, program).with(program.setup.latency)), "")
                      << text(ranges) << "\n"
                      << describe(program);
                });
}

/// What a planted arbiter changes: runs with another number of cycles find each of them. Where
/// latencies vary, intervals cannot find those that let FETCH wait for a cycle at most: what they say holds
/// for these too. Where none varies, an interval is the engine's one run.
class PlantedArbiterTest : public ::testing::TestWithParam<Arbiter> {};

TEST_P(PlantedArbiterTest, IsFound) {
  uint64_t differs = 0, outside = 0, programs = 400;
  visitPrograms(520, programs, [&](auto &device, auto &program, auto &ranges) {
    program.setup.arbiter = GetParam();
    const uint64_t planted = clocked::Core(program.setup).run().cycles;
    differs += planted != Runs(device, program).cyclesWith(program.setup.latency);
    const auto interval = intervalOf(program, ranges);
    ASSERT_TRUE(interval) << interval.error();
    outside += ranges.vary() && (planted < interval->lower || planted > interval->upper);
  });
  EXPECT_GT(differs, 0u);
  if (GetParam() != Arbiter::LoadFirst) {
    EXPECT_EQ(outside, 0u);
  }
  std::cout << "of " << programs << " runs, " << differs << " take another number of cycles, " << outside
            << " leave their interval\n";
}

std::string arbiterName(const ::testing::TestParamInfo<Arbiter> &info) {
  constexpr const char *names[] = {"RoundRobin", "FetchFirst", "LoadFirst", "ForgetsUncontested"};
  return names[static_cast<unsigned>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Arbiters, PlantedArbiterTest,
                         ::testing::Values(Arbiter::FetchFirst, Arbiter::LoadFirst,
                                           Arbiter::ForgetsUncontested),
                         arbiterName);

TEST(IntervalTest, WithoutVaryingLatenciesBothEndsAreTheRun) {
  visitPrograms(530, 50, [](auto &device, auto &program, auto &) {
    const uint32_t read = program.setup.machine.readLatency, write = program.setup.machine.writeLatency;
    const auto interval = intervalOf(program, {{read, read}, {write, write}});
    ASSERT_TRUE(interval) << interval.error();
    EXPECT_EQ(interval->lower, runOnDevice(device, program).cycles);
    EXPECT_EQ(interval->lower, interval->upper);
  });
}

struct Refused {
  sim::MemoryLatencies ranges;
  const char *sentence;
};

TEST(IntervalTest, RefusesRangesThatAreNone) {
  TestProgram program;
  program.instructions = {isa::Finish()};
  program.setup.machine = testing::builtin("default");
  encodeProgram(program);
  for (const Refused &refused :
       {Refused{{{0, 4}, {1, 1}}, "read latency 0:4 begins with 0"},
        Refused{{{1, 4}, {9, 8}}, "write latency 9:8 is empty"},
        Refused{{{1, 65536}, {1, 1}}, "reaches the 65536 cycles (memory_timeout_cycles)"}}) {
    const auto interval = intervalOf(program, refused.ranges);
    ASSERT_FALSE(interval);
    EXPECT_NE(interval.error().find(refused.sentence), std::string::npos) << interval.error();
  }
}

TEST(IntervalTest, RefusesProgramsWithoutAnEnd) {
  TestProgram program;
  program.setup.machine = testing::builtin("default");
  const auto errorOf = [&](std::vector<isa::Instruction> instructions) {
    program.instructions = std::move(instructions);
    encodeProgram(program);
    const auto interval = intervalOf(program, {{1, 4}, {1, 1}});
    return interval ? "" : interval.error();
  };
  const isa::Nop nop{0, 0, isa::Module::Gemm, 0}, waits{1, 0, isa::Module::Gemm, 0};
  EXPECT_EQ(errorOf({}), "the program does not end with finish");
  EXPECT_EQ(errorOf({nop}), "the program does not end with finish");
  EXPECT_EQ(errorOf({isa::Finish(), nop}), "the program continues after finish, at instruction 1");
  EXPECT_NE(errorOf({waits, isa::Finish()}).find("the program stops with a fault: "), std::string::npos);
  EXPECT_EQ(errorOf({nop, isa::Finish()}), "");
}

} // namespace
} // namespace daedalus::timing
