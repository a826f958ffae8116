// The engines against each other on machines at the ends of what isa.yaml allows (machineArray): two models
// on some; the RTL too where DAEDALUS_COSIM_MACHINES says on how many, for each is Verilated, in a minute or
// more. DAEDALUS_COSIM_SEED says which array, DAEDALUS_COSIM_PROGRAMS how many programs each pair of engines
// runs.
#include "daedalus/simulator/cosim.h"
#include "setting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

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

std::string readFile(const std::string &path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(MachineArray, IsReadAsItIsWritten) {
  for (const isa::Machine &machine : machineArray(1)) {
    const std::string path = ::testing::TempDir() + machine.name + ".yaml";
    std::ofstream(path) << writeMachine(machine);
    const auto read = isa::loadMachine(path);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->hash(), machine.hash());
    std::filesystem::remove(path);
  }
}

TEST(MachineArray, IsAnotherForEverySeed) {
  std::set<uint64_t> machines;
  size_t count = 0;
  for (uint64_t seed = 0; seed < 4; ++seed)
    for (const isa::Machine &machine : machineArray(seed))
      count += machines.insert(machine.hash()).second;
  EXPECT_EQ(count, machines.size());
  EXPECT_EQ(machineArray(3).back().hash(), machineArray(3).back().hash());
}

/// Every pair of ends that a machine can have is in one of the array.
TEST(MachineArray, HasEveryPossiblePair) {
  const std::vector<MachinePair> pairs = machinePairs();
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const std::vector<isa::Machine> machines = machineArray(seed);
    size_t possible = 0;
    for (const MachinePair &pair : pairs) {
      possible += pair.possible;
      EXPECT_EQ(std::any_of(machines.begin(), machines.end(), pair.has), pair.possible)
          << pair.a << " and " << pair.b << ", seed " << seed;
    }
    std::cout << "seed " << seed << ": " << machines.size() << " machines have all of " << possible
              << " pairs; " << pairs.size() - possible << " cannot be\n";
    EXPECT_LE(machines.size(), 40u);
  }
}

/// What no machine can have stands in excluded_pairs.txt, with the conditions that forbid it; the test writes
/// the list that it has found beside its own output where the two differ.
TEST(MachineArray, ExcludesWhatIsListed) {
  std::string found;
  for (const MachinePair &pair : machinePairs()) {
    if (pair.possible)
      continue;
    found += pair.a == pair.b ? pair.a : pair.a + ", " + pair.b;
    if (pair.forbiddenBy.empty())
      found += ": their ranges";
    for (const std::string &condition : pair.forbiddenBy)
      found += (&condition == pair.forbiddenBy.data() ? ": " : "; ") + condition;
    found += "\n";
  }
  const std::string listed = readFile(DAEDALUS_SOURCE_DIR "/tests/cosim/excluded_pairs.txt");
  const std::string path = DAEDALUS_BINARY_DIR "/excluded_pairs.txt";
  std::ofstream(path) << listed.substr(0, listed.find("\n\n") + 2) << found;
  EXPECT_EQ(listed.substr(listed.find("\n\n") + 2), found) << "the list that was found is in " << path;
}

/// That a bank of one row beside others was in no machine hid a bug of the RTL.
TEST(MachineArray, HasBanksOfOneRow) {
  unsigned inp = 0, acc = 0;
  for (const isa::Machine &machine : machineArray(1)) {
    inp += machine.inpBanks > 1 && machine.inpBytes == machine.inpBanks * machine.n;
    acc += machine.accBanks > 1 && machine.accBytes == machine.accBanks * machine.n * 4;
  }
  EXPECT_GT(inp, 0u);
  EXPECT_GT(acc, 0u);
}

TEST(MachineArray, FunctionalAndSystemcAgree) {
  const std::vector<isa::Machine> machines = machineArray(setting("DAEDALUS_COSIM_SEED", 1));
  for (size_t i = 0; i < machines.size(); i += 8)
    expectAgreement(engines("functional", "systemc"), machines[i], 15);
}

TEST(MachineArray, TheRtlAgrees) {
  const uint64_t count = setting("DAEDALUS_COSIM_MACHINES", 0);
  if (count == 0)
    GTEST_SKIP() << "DAEDALUS_COSIM_MACHINES says how many machines are Verilated";
  for (const isa::Machine &machine : machineArrays(setting("DAEDALUS_COSIM_SEED", 1), count)) {
    expectAgreement(engines("systemc", "rtl"), machine, 100);
    expectAgreement(engines("functional", "rtl"), machine, 30);
  }
}

} // namespace
} // namespace daedalus::cosim
