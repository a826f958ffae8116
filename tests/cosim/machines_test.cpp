// The engines against each other on machines whose keys lie at the ends of their ranges (isa.yaml): two
// models always; the RTL too where DAEDALUS_COSIM_MACHINES says how many, for each is Verilated, in a minute
// or more. DAEDALUS_COSIM_SEED says which, DAEDALUS_COSIM_PROGRAMS how many programs each pair of engines
// runs.
#include "daedalus/simulator/cosim.h"
#include "setting.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace daedalus::cosim {
namespace {

void expectAgreement(const Pair &pair, const isa::Machine &machine, uint64_t programs) {
  SCOPED_TRACE(pair.nameA + " and " + pair.nameB + " on\n" + writeMachine(machine));
  const auto campaign = runCampaign(pair, machine, setting("DAEDALUS_COSIM_PROGRAMS", programs), 1);
  ASSERT_TRUE(campaign) << campaign.error();
  std::cout << machine.name << " (N=" << machine.n << ", " << machine.busBytes << " B a beat), " << pair.nameA
            << " and " << pair.nameB << ": " << campaign->programs << " programs, "
            << campaign->totals.instructions << " instructions, " << campaign->totals.cycles << " cycles"
            << std::endl;
  if (campaign->failure)
    FAIL() << "case " << campaign->failure->seed << "\n"
           << campaign->failure->divergence.text << writeCase(campaign->failure->test, "");
}

TEST(RandomMachines, AreReadAsTheyAreWritten) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const isa::Machine machine = randomMachine(seed);
    const std::string path = ::testing::TempDir() + machine.name + ".yaml";
    std::ofstream(path) << writeMachine(machine);
    const auto read = isa::loadMachine(path);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->hash(), machine.hash());
    std::filesystem::remove(path);
  }
}

TEST(RandomMachines, AreOthersForEverySeed) {
  std::map<uint64_t, std::string> machines;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const isa::Machine machine = randomMachine(seed);
    const auto [other, isNew] = machines.insert({machine.hash(), machine.name});
    EXPECT_TRUE(isNew) << machine.name << " is " << other->second;
  }
}

/// Every key is at its least and at its most in some of them, unless a condition forbids it: a burst holds an
/// instruction of 64 bytes, and LUT has 256 bytes for each of its banks.
TEST(RandomMachines, ReachTheEndsOfEveryRange) {
  std::map<std::string, std::pair<bool, bool>> reached;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const isa::Machine machine = randomMachine(seed);
    for (const isa::MachineKey &key : isa::MachineKeys) {
      auto &[least, most] = reached[key.name];
      least = least || machine.*key.member == key.minimum;
      most = most || machine.*key.member == key.maximum;
    }
  }
  for (const auto &[name, ends] : reached) {
    EXPECT_EQ(ends.first, name != "max_burst_beats" && name != "receive_beats") << name << " at its least";
    EXPECT_EQ(ends.second, name != "lut_banks") << name << " at its most";
  }
}

TEST(RandomMachines, FunctionalAndSystemcAgree) {
  const uint64_t first = setting("DAEDALUS_COSIM_SEED", 1);
  for (uint64_t seed = first; seed < first + 4; ++seed)
    expectAgreement(engines("functional", "systemc"), randomMachine(seed), 15);
}

TEST(RandomMachines, TheRtlAgrees) {
  const uint64_t first = setting("DAEDALUS_COSIM_SEED", 1), count = setting("DAEDALUS_COSIM_MACHINES", 0);
  if (count == 0)
    GTEST_SKIP() << "DAEDALUS_COSIM_MACHINES says how many machines are Verilated";
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const isa::Machine machine = randomMachine(seed);
    expectAgreement(engines("systemc", "rtl"), machine, 100);
    expectAgreement(engines("functional", "rtl"), machine, 30);
  }
}

} // namespace
} // namespace daedalus::cosim
