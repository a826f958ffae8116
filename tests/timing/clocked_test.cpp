// The `systemc` engine against the clocked model of docs/timing.md (clocked/core.h): seeded random programs on
// random machines must agree on the start and end of every instruction, the cycle of the stop, every counter
// and, where there is a fault, on its cause, module, index and cycle.
//
//   DAEDALUS_TIMING_PROGRAMS=100000 DAEDALUS_TIMING_SEED=7 bin/clocked_test     # longer, from another seed
#include "device_run.h"
#include "random_fault.h"

#include <cstdlib>

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
};

/// Compares one program on a device; twice, since a repeated run has to be the same.
void compare(testing::DeviceHarness &device, const TestProgram &program, Agreement &agreement) {
  const clocked::Outcome expected = clocked::Core(program.setup).run();
  const clocked::Outcome found = runOnDevice(device, program);
  ASSERT_EQ(difference(expected, found), "") << describe(program);
  agreement.programs += 1;
  agreement.instructions += expected.events.size();
  agreement.cycles += expected.cycles;
  agreement.faults += expected.fault.cause != isa::FaultCause::None;
}

/// Programs with a fault of that cause (none: without one), `share` of the test's number in a hundred.
void comparePrograms(isa::FaultCause cause, uint64_t programs, unsigned instructions) {
  const uint64_t count = setting("DAEDALUS_TIMING_PROGRAMS", programs);
  const uint64_t seed = setting("DAEDALUS_TIMING_SEED", 1) * 1000 + static_cast<unsigned>(cause);
  Agreement agreement;
  for (uint64_t group = 0; group * ProgramsPerMachine < count; ++group) {
    Random random(seed * 1'000'000'007 + group);
    const isa::Machine machine = randomMachine(random);
    testing::DeviceHarness device("systemc", machine, random.percent(75), DramBytes);
    for (unsigned i = 0; i < ProgramsPerMachine; ++i) {
      TestProgram program = randomProgram(random, machine, instructions);
      if (program.instructions.size() > 1)
        injectFault(random, program, cause);
      SCOPED_TRACE("group " + std::to_string(group) + ", program " + std::to_string(i));
      ASSERT_NO_FATAL_FAILURE(compare(device, program, agreement));
    }
  }
  std::printf("agreed: %llu programs, %llu faults, %llu instructions, %llu cycles\n",
              (unsigned long long)agreement.programs, (unsigned long long)agreement.faults,
              (unsigned long long)agreement.instructions, (unsigned long long)agreement.cycles);
}

TEST(ClockedTest, SystemcAgreesOnFaultFreePrograms) { comparePrograms(isa::FaultCause::None, 2000, 60); }

class ClockedFaultTest : public ::testing::TestWithParam<isa::FaultCause> {};

TEST_P(ClockedFaultTest, SystemcAgreesOnTheFault) { comparePrograms(GetParam(), 300, 30); }

INSTANTIATE_TEST_SUITE_P(Causes, ClockedFaultTest,
                         ::testing::Values(isa::FaultCause::IllegalEncoding, isa::FaultCause::MissingFinish,
                                           isa::FaultCause::NoProgress, isa::FaultCause::BusError,
                                           isa::FaultCause::AddressLimit, isa::FaultCause::ScratchpadRange,
                                           isa::FaultCause::CounterOverflow),
                         [](const auto &info) { return std::string(isa::name(info.param)); });

} // namespace
} // namespace daedalus::timing
