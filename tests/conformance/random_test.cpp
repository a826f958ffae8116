// Random legal programs through all engines: the same DRAM and the same scratchpads.
#include "common/device_base.h"
#include "daedalus/simulator/random_program.h"
#include "support/device_harness.h"

namespace daedalus::testing {
namespace {

using cosim::randomProgram;
using cosim::RandomProgram;

constexpr unsigned ProgramsPerMachine = 60;

/// Registers, DRAM and scratchpads before the run, the same on every engine.
void prepare(DeviceHarness &device, const RandomProgram &random) {
  const auto &bases = random.program.bases;
  device.setBase(0, DeviceHarness::Base0, bases[0].limit);
  device.setBase(1, DeviceHarness::Base1, bases[1].limit);
  device.write(DeviceHarness::Base0, random.constants);
  device.write(DeviceHarness::Base1, random.arena);
}

sim::CoreState &stateOf(DeviceHarness &device) {
  return dynamic_cast<sim::DeviceBase &>(*device).state();
}

class RandomPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomPrograms, GiveTheSameBytesOnEveryEngine) {
  const isa::Machine machine = builtin(GetParam());
  for (unsigned seed = 0; seed < ProgramsPerMachine; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram random = randomProgram(machine, seed);
    DeviceHarness functional("functional", machine), systemc("systemc", machine);
    for (DeviceHarness *device : {&functional, &systemc}) {
      prepare(*device, random);
      device->run(random.program.instructions);
      ASSERT_EQ(device->status(), isa::DeviceStatus::Done) << (*device)->faultDetail();
    }
    ASSERT_TRUE(std::equal(functional->dram().begin(), functional->dram().end(), systemc->dram().begin()));
    for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
      ASSERT_EQ(stateOf(functional).scratchpads[scope], stateOf(systemc).scratchpads[scope])
          << isa::name(static_cast<isa::Scope>(scope));
    EXPECT_EQ(systemc->events().size(), random.program.instructions.size());
  }
}

/// R1: a repeated run is the same in every cycle, on a device that has run other programs too.
TEST_P(RandomPrograms, RepeatTheirCyclesWithAndWithoutResults) {
  const isa::Machine machine = builtin(GetParam());
  DeviceHarness device("systemc", machine), timingOnly("systemc", machine, true);
  std::map<unsigned, std::vector<sim::InstructionEvent>> firstRuns;
  for (DeviceHarness *runner : {&device, &device, &timingOnly})
    for (unsigned seed = 0; seed < 5; ++seed) {
      const RandomProgram random = randomProgram(machine, seed);
      prepare(*runner, random);
      runner->run(random.program.instructions);
      ASSERT_EQ(runner->status(), isa::DeviceStatus::Done) << (*runner)->faultDetail();
      const auto events = (*runner)->events();
      auto &first = firstRuns[seed];
      if (first.empty())
        first.assign(events.begin(), events.end());
      ASSERT_EQ(first.size(), events.size());
      for (size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].index, events[i].index);
        EXPECT_EQ(first[i].start, events[i].start);
        EXPECT_EQ(first[i].end, events[i].end);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, RandomPrograms, ::testing::ValuesIn(isa::builtinMachines()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::testing
