// The RTL against the clocked model: every start, end, stop cycle, fault and counter of random programs,
// faulty ones among them, on the machines of the tree with random memory latencies.
//
// DAEDALUS_TIMING_PROGRAMS and DAEDALUS_TIMING_SEED as in clocked_test.cpp. DAEDALUS_TIMING_MODULES=load
// keeps the programs to one module.
#include "device_run.h"
#include "random_fault.h"
#include "rtl/engine.h"

#include <cstdlib>
#include <iostream>

namespace daedalus::timing {
namespace {

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// Drops the instructions of other modules, and all tokens with them.
void keepModule(TestProgram &program, const std::string &module) {
  auto &all = program.instructions;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const isa::Instruction &i) {
                             const auto of = isa::moduleOf(i);
                             return of && isa::name(*of) != module;
                           }),
            all.end());
  for (isa::Instruction &i : all) {
    isa::setWaitMask(i, 0);
    isa::setSignalMask(i, 0);
  }
  encodeProgram(program);
}

/// Programs with `faults` faults at most, of which the first in time is kept.
void compareOn(const std::string &machineName, uint64_t count, uint32_t faultPercent, unsigned faults = 1) {
  const char *module = std::getenv("DAEDALUS_TIMING_MODULES");
  Random random(setting("DAEDALUS_TIMING_SEED", 1) * 7919 + machineName.size());
  const isa::Machine plain = testing::builtin(machineName);
  // A silent memory only where it is not waited for long.
  const auto causes = static_cast<uint32_t>(
      plain.memoryTimeoutCycles <= 1000 ? isa::FaultCause::MemoryTimeout : isa::FaultCause::CounterOverflow);
  uint64_t instructions = 0, cycles = 0, stoppedByFault = 0;
  for (uint64_t i = 0; i < count;) {
    isa::Machine machine = plain;
    machine.readLatency = random.between(1, 100);
    machine.writeLatency = random.between(1, 100);
    testing::DeviceHarness device("rtl", machine, false, DramBytes);
    dynamic_cast<sim::rtl::Engine &>(*device).tolerateAssertions(); // the programs race on data
    for (unsigned group = 0; group < 16 && i < count; ++group, ++i) {
      TestProgram program = randomProgram(random, machine, 60);
      if (module)
        keepModule(program, module);
      for (unsigned fault = 0; fault < faults; ++fault)
        if (program.instructions.size() > 1 && random.percent(faultPercent))
          injectFault(random, program, static_cast<isa::FaultCause>(random.between(1, causes)));
      const clocked::Outcome expected = clocked::Core(program.setup).run();
      const clocked::Outcome found = runOnDevice(device, program);
      ASSERT_EQ(difference(expected, found), "") << "program " << i << "\n" << describe(program);
      instructions += expected.events.size();
      cycles += expected.cycles;
      stoppedByFault += expected.fault.cause != isa::FaultCause::None;
    }
  }
  std::cout << "agreed: " << count << " programs, " << stoppedByFault << " faults, " << instructions
            << " instructions, " << cycles << " cycles\n";
}

class RtlTimingTest : public ::testing::TestWithParam<std::string> {};

TEST_P(RtlTimingTest, AgreesWithTheClockedModel) {
  compareOn(GetParam(), setting("DAEDALUS_TIMING_PROGRAMS", 300), 30);
}

TEST_P(RtlTimingTest, AgreesOnTheFirstOfSeveralFaults) {
  compareOn(GetParam(), setting("DAEDALUS_TIMING_PROGRAMS", 80), 90, 3);
}

INSTANTIATE_TEST_SUITE_P(Machines, RtlTimingTest, ::testing::ValuesIn(isa::builtinMachines()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace daedalus::timing
