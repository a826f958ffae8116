// The `systemc` engine against the clocked model of docs/timing.md (clocked/core.h): seeded random programs
// on random machines must agree on the start and end of every instruction, the cycle of the stop, every
// counter and, where there is a fault, on its cause, module, index and cycle.
//
//   DAEDALUS_TIMING_PROGRAMS=100000 DAEDALUS_TIMING_SEED=7 bin/clocked_test     # longer, from another seed
//   DAEDALUS_TIMING_MACHINES=200 bin/clocked_test --gtest_filter=*Array         # more machines of the array
#include "device_run.h"
#include "random_fault.h"

#include "daedalus/simulator/cosim.h"
#include "daedalus/simulator/random_program.h"

#include <cstdlib>
#include <iostream>

namespace daedalus::timing {
namespace {

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

constexpr unsigned ProgramsPerMachine = 8;

/// What has been compared; printed for the record.
struct Agreement {
  uint64_t programs = 0, instructions = 0, cycles = 0, faults = 0;
  void print() const {
    std::cout << "agreed: " << programs << " programs, " << faults << " faults, " << instructions
              << " instructions, " << cycles << " cycles\n";
  }
};

/// Compares one program on a device, on which others ran before.
void compare(testing::DeviceHarness &device, const TestProgram &program, Agreement &agreement) {
  const clocked::Outcome expected = clocked::Core(program.setup).run();
  const clocked::Outcome found = runOnDevice(device, program);
  ASSERT_EQ(difference(expected, found), "") << describe(program);
  agreement.programs += 1;
  agreement.instructions += expected.events.size();
  agreement.cycles += expected.cycles;
  agreement.faults += expected.fault.cause != isa::FaultCause::None;
}

/// So many random programs on one device of the machine.
template <class Change>
void compareOn(const isa::Machine &machine, Random &random, unsigned programs, unsigned instructions,
               Change change, Agreement &agreement) {
  testing::DeviceHarness device("systemc", machine, random.percent(75), DramBytes);
  for (unsigned i = 0; i < programs; ++i) {
    TestProgram program = randomProgram(random, machine, instructions);
    if (program.instructions.size() > 1)
      change(random, program);
    SCOPED_TRACE(machine.name + ", program " + std::to_string(i));
    ASSERT_NO_FATAL_FAILURE(compare(device, program, agreement));
  }
}

/// Random programs of up to so many instructions, each changed by `change`, on random machines. `stream`
/// tells the random numbers of the tests apart.
template <class Change>
void comparePrograms(unsigned stream, uint64_t programs, unsigned instructions, Change change) {
  const uint64_t count = setting("DAEDALUS_TIMING_PROGRAMS", programs);
  const uint64_t seed = setting("DAEDALUS_TIMING_SEED", 1) * 1000 + stream;
  Agreement agreement;
  for (uint64_t group = 0; group * ProgramsPerMachine < count; ++group) {
    Random random(seed * 1'000'000'007 + group);
    const isa::Machine machine = randomMachine(random);
    SCOPED_TRACE("group " + std::to_string(group));
    ASSERT_NO_FATAL_FAILURE(compareOn(machine, random, ProgramsPerMachine, instructions, change, agreement));
  }
  agreement.print();
}

TEST(ClockedTest, SystemcAgreesOnFaultFreePrograms) {
  comparePrograms(0, 2000, 60, [](Random &, TestProgram &) {});
}

/// Which of two faults is kept depends on their cycles, and within one cycle on R21.
TEST(ClockedTest, SystemcAgreesOnTheFirstOfSeveralFaults) {
  comparePrograms(100, 400, 30, [](Random &random, TestProgram &program) {
    for (unsigned faults = 0; faults < 3; ++faults)
      injectFault(random, program, static_cast<isa::FaultCause>(random.between(2, 8)));
  });
}

/// Machines at the ends of what isa.yaml allows: every possible pair of ends is in the first 20
/// (cosim::machineArray).
TEST(ClockedTest, SystemcAgreesOnTheMachinesOfTheArray) {
  const uint64_t seed = setting("DAEDALUS_TIMING_SEED", 1), count = setting("DAEDALUS_TIMING_MACHINES", 20);
  Agreement agreement;
  for (const isa::Machine &machine : cosim::machineArrays(seed, count)) {
    Random random(seed * 1'000'000'007 + machine.hash());
    ASSERT_NO_FATAL_FAILURE(compareOn(
        machine, random, ProgramsPerMachine, 30,
        [](Random &random, TestProgram &program) {
          if (random.percent(30))
            injectFault(random, program, static_cast<isa::FaultCause>(random.between(1, 8)));
        },
        agreement));
  }
  std::cout << count << " machines, ";
  agreement.print();
}

/// What the verifier accepts and the other suites run, on the machines of the tree.
TEST(ClockedTest, SystemcAgreesOnVerifiedPrograms) {
  Agreement agreement;
  for (const std::string &name : isa::builtinMachines()) {
    testing::DeviceHarness device("systemc", testing::builtin(name), true, DramBytes);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      TestProgram program;
      program.instructions = cosim::randomProgram(device->machine(), seed).program.instructions;
      program.setup.machine = device->machine();
      program.setup.dramBytes = DramBytes;
      program.setup.programAddress = Code;
      program.setup.bases[0] = {0, 0x4000};
      program.setup.bases[1] = {0x4000, 0x4000};
      encodeProgram(program);
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      ASSERT_NO_FATAL_FAILURE(compare(device, program, agreement));
    }
  }
  agreement.print();
}

TEST(ClockedTest, SystemcAgreesOnTheProgramOfLengthZero) {
  TestProgram program;
  program.setup.machine = testing::builtin("default");
  program.setup.dramBytes = DramBytes;
  testing::DeviceHarness device("systemc", program.setup.machine, true, DramBytes);
  Agreement agreement;
  compare(device, program, agreement);
}

class ClockedFaultTest : public ::testing::TestWithParam<isa::FaultCause> {};

TEST_P(ClockedFaultTest, SystemcAgreesOnTheFault) {
  comparePrograms(static_cast<unsigned>(GetParam()), 300, 30,
                  [&](Random &random, TestProgram &program) { injectFault(random, program, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Causes, ClockedFaultTest,
                         ::testing::Values(isa::FaultCause::IllegalEncoding, isa::FaultCause::MissingFinish,
                                           isa::FaultCause::NoProgress, isa::FaultCause::BusError,
                                           isa::FaultCause::AddressLimit, isa::FaultCause::ScratchpadRange,
                                           isa::FaultCause::CounterOverflow, isa::FaultCause::MemoryTimeout),
                         [](const auto &info) { return std::string(isa::name(info.param)); });

} // namespace
} // namespace daedalus::timing
