// The engines against each other on random programs, and on the shrunk programs of this folder; those of a
// machine outside the tree with DAEDALUS_COSIM_MACHINES alone, for each of these is Verilated.
// DAEDALUS_COSIM_PROGRAMS and DAEDALUS_COSIM_SEED change how many and which.
#include "daedalus/simulator/cosim.h"
#include "setting.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace daedalus::cosim {
namespace {

class CosimTest : public ::testing::TestWithParam<std::string> {
protected:
  void expectAgreement(const Pair &pair, uint64_t programs) {
    const auto machine = isa::loadMachine(GetParam());
    ASSERT_TRUE(machine) << machine.error();
    const auto campaign = runCampaign(pair, *machine, setting("DAEDALUS_COSIM_PROGRAMS", programs),
                                      setting("DAEDALUS_COSIM_SEED", 1));
    ASSERT_TRUE(campaign) << campaign.error();
    std::cout << campaign->programs << " programs, " << campaign->totals.instructions << " instructions, "
              << campaign->totals.cycles << " cycles";
    for (const auto &[kind, count] : campaign->kinds)
      std::cout << ", " << count << " " << kind;
    std::cout << "\n";
    if (campaign->failure)
      FAIL() << "case " << campaign->failure->seed << "\n"
             << campaign->failure->divergence.text << writeCase(campaign->failure->test, "");
  }
};

TEST_P(CosimTest, SystemcAndRtlAgree) {
  expectAgreement(engines("systemc", "rtl"), GetParam() == "large" ? 200 : GetParam() == "tiny" ? 1000 : 400);
}
TEST_P(CosimTest, FunctionalAndRtlAgree) {
  expectAgreement(engines("functional", "rtl"), 50);
}
TEST_P(CosimTest, FunctionalAndSystemcAgree) {
  expectAgreement(engines("functional", "systemc"), 100);
}

INSTANTIATE_TEST_SUITE_P(Machines, CosimTest, ::testing::ValuesIn(isa::builtinMachines()),
                         [](const auto &info) { return info.param; });

/// DRAMs behind the machines whose models are built: one whose rows hold little, so that they are opened
/// often, and one that is refreshed all the time.
class CosimDramTest : public CosimTest {};

TEST_P(CosimDramTest, SystemcAndRtlAgree) {
  expectAgreement(engines("systemc", "rtl"), 100);
}

INSTANTIATE_TEST_SUITE_P(Dram, CosimDramTest,
                         ::testing::Values("default,model=ddr3-1600,clock_mhz=1000",
                                           "vta,model=ddr4-2400,clock_mhz=1000",
                                           "default,model=ddr4-3200,page_bytes=256,t_refi=2500,clock_mhz=700",
                                           "large,model=lpddr4-3200,clock_mhz=1000"));

/// A shrunk program of this folder, and the machine that it names: a file beside it, or one of the tree.
struct Kept {
  std::string path;
  Case test;
  isa::Machine machine;
  bool ofTheTree = true;
};

std::vector<Kept> keptPrograms() {
  const std::filesystem::path folder = DAEDALUS_SOURCE_DIR "/tests/cosim";
  std::vector<Kept> programs;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".s")
      continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const auto test = readCase(text.str(), entry.path().string());
    EXPECT_TRUE(test) << test.error();
    const auto file = folder / (test->program.machineName + ".yaml");
    const bool ofTheTree = !std::filesystem::exists(file);
    const auto machine = isa::loadMachine(ofTheTree ? test->program.machineName : file.string());
    EXPECT_TRUE(machine) << machine.error();
    programs.push_back({entry.path().string(), *test, *machine, ofTheTree});
  }
  return programs;
}

void expectAgreementOn(bool machinesOfTheTree) {
  unsigned programs = 0;
  for (const Kept &kept : keptPrograms()) {
    if (kept.ofTheTree != machinesOfTheTree)
      continue;
    const auto found = run(engines("systemc", "rtl"), kept.machine, kept.test);
    ASSERT_TRUE(found) << found.error();
    EXPECT_FALSE(*found) << kept.path << "\n" << (*found)->text;
    ++programs;
  }
  EXPECT_GT(programs, 0u);
}

TEST(KeptPrograms, DivergeNoMore) {
  expectAgreementOn(true);
}

TEST(KeptPrograms, OfOtherMachinesDivergeNoMore) {
  if (setting("DAEDALUS_COSIM_MACHINES", 0) == 0)
    GTEST_SKIP() << "DAEDALUS_COSIM_MACHINES says that machines are Verilated";
  expectAgreementOn(false);
}

} // namespace
} // namespace daedalus::cosim
