// Random programs on both engines while the processor disturbs the memory at random: the same cycles and
// bytes (S5 to S10). DAEDALUS_SOC_PROGRAMS says how many, DAEDALUS_SOC_SEED which.
#include "soc_harness.h"

#include "daedalus_soc.h"

#include <iostream>

namespace daedalus::test {
namespace {

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 0) : otherwise;
}

/// Built-in machines, with memories that answer in unlike ways.
const char *const machines[] = {"default",
                                "tiny",
                                "vta",
                                "large",
                                "default,read_latency=7,write_latency=3",
                                "default,model=ddr4-2400,clock_mhz=1000",
                                "default,model=lpddr4-3200,clock_mhz=1000",
                                "vta,model=ddr3-1600,t_refi=1500,clock_mhz=1000",
                                "tiny,read_latency=1,write_latency=1"};

TEST(Contention, IsTheSameOnBothEngines) {
  DAEDALUS_NEEDS_PROCESSOR();
  const uint64_t programs = setting("DAEDALUS_SOC_PROGRAMS", 36), first = setting("DAEDALUS_SOC_SEED", 1);
  uint64_t cycles = 0, contended = 0, accesses = 0, longer = 0;
  for (uint64_t seed = first; seed < first + programs && !::testing::Test::HasFailure(); ++seed) {
    const char *name = machines[seed % (sizeof machines / sizeof *machines)];
    SCOPED_TRACE("machine " + std::string(name) + ", DAEDALUS_SOC_SEED=" + std::to_string(seed));
    const auto machine = isa::loadMachine(name);
    ASSERT_TRUE(machine) << machine.error();
    const cosim::RandomProgram random = cosim::randomProgram(*machine, seed);
    const package::Package package = packageOf(*machine, random);
    Setting disturbed(package);
    disturbed.elf = firmware(DAEDALUS_CONTEND);
    const uint32_t scratch = static_cast<uint32_t>(DAEDALUS_SOC_DRAM + disturbed.job.bytes);
    disturbed.options.dramBytes += 4096;
    disturbed.options.skipsSleep = seed % 2;
    disturbed.change = [&](Span<uint8_t> dram) {
      std::copy(random.arena.begin(), random.arena.end(),
                dram.begin() + (disturbed.job.arena - DAEDALUS_SOC_DRAM));
      put(dram, disturbed.job.result, static_cast<uint32_t>(seed * 2654435761u + 1));
      put(dram, disturbed.job.result + 4, scratch);
    };
    const Ran modelled = run("soc", *machine, disturbed), clocked = run("soc-rtl", *machine, disturbed);
    expectSame(modelled, clocked);
    EXPECT_EQ(modelled.run.exitCode, DAEDALUS_SOC_EXIT_OK) << modelled.run.printed;
    ASSERT_EQ(modelled.run.acceleratorRuns.size(), 2u);
    cycles += modelled.run.cycles;
    contended += modelled.run.contendedCycles;
    accesses += modelled.run.dramReads + modelled.run.dramWrites;
    const auto &[one, two] = std::pair(modelled.run.acceleratorRuns[0], modelled.run.acceleratorRuns[1]);
    longer += one.stop - one.start != two.stop - two.start;
  }
  std::cout << programs << " programs: " << cycles << " cycles, " << accesses
            << " accesses, of which reads waited " << contended << " cycles; " << longer
            << " programs took another time when run again\n";
  EXPECT_GT(contended, 0u) << "the processor never waited for the accelerator";
  EXPECT_GT(longer, 0u) << "the processor never delayed the accelerator";
}

} // namespace
} // namespace daedalus::test
