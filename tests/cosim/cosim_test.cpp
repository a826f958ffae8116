// The engines against each other on random programs, and on the shrunk programs of this folder.
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

std::vector<std::string> keptPrograms() {
  std::vector<std::string> paths;
  for (const auto &entry : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR "/tests/cosim"))
    if (entry.path().extension() == ".s")
      paths.push_back(entry.path().string());
  return paths;
}

TEST(KeptPrograms, DivergeNoMore) {
  for (const std::string &path : keptPrograms()) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    const auto test = readCase(text.str(), path);
    ASSERT_TRUE(test) << test.error();
    const auto machine = isa::loadMachine(test->program.machineName);
    ASSERT_TRUE(machine) << machine.error();
    const auto found = run(engines("systemc", "rtl"), *machine, *test);
    ASSERT_TRUE(found) << found.error();
    EXPECT_FALSE(*found) << path << "\n" << (*found)->text;
  }
}

} // namespace
} // namespace daedalus::cosim
