// Every planted bug must make systemc and the faulty RTL differ on some random program, the same programs for
// all: on `tiny`, and on a machine of other widths, sizes and depths. Of the bugs that can be on both, every
// eighth runs on the second, with DAEDALUS_FAULTY_HARDWARE_ON_BOTH every one. Prints the table of
// docs/verification.md: how many programs each bug took.
#include "daedalus/simulator/cosim.h"
#include "rtl/engine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace daedalus::cosim {
namespace {

constexpr unsigned MostPrograms = 3000;
constexpr unsigned MostOnWide = 3000;
constexpr unsigned WithoutBug = 1000; ///< as many as cosim_test runs on `tiny`
constexpr unsigned Sample = 8;
constexpr uint64_t Seed = 1'000'003;
const std::string folder = DAEDALUS_FAULTY_HARDWARE;

struct Bug {
  unsigned number = 0;
  std::string name, machine, file, what; ///< machine: the one on which it is a bug, or all
};
void PrintTo(const Bug &bug, std::ostream *out) {
  *out << bug.file << ": " << bug.what;
}

std::vector<Bug> bugs() {
  std::vector<Bug> list;
  std::ifstream in(folder + "/rtl/bugs.tsv");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    Bug bug;
    fields >> bug.number >> std::ws;
    std::getline(fields, bug.name, '\t');
    std::getline(fields, bug.machine, '\t');
    std::getline(fields, bug.file, '\t');
    std::getline(fields, bug.what);
    list.push_back(bug);
  }
  return list;
}

bool onBoth() {
  return std::getenv("DAEDALUS_FAULTY_HARDWARE_ON_BOTH") != nullptr;
}

isa::Machine machineOf(const std::string &name) {
  return *isa::loadMachine(name == "wide" ? DAEDALUS_WIDE_MACHINE : name);
}

/// systemc beside the RTL of the machine with that bug; 0: with none.
Pair faulty(const std::string &machine, unsigned number) {
  Pair pair = engines("systemc", "rtl");
  std::string model;
  std::getline(std::ifstream(folder + "/" + machine + ".path"), model);
  pair.makeB = [number, model](const isa::Machine &machine,
                               const sim::DeviceOptions &options) -> Result<std::unique_ptr<sim::Device>> {
    auto engine = sim::rtl::Engine::createFrom(model, machine, options);
    if (!engine)
      return error(engine.error());
    (*engine)->plantBug(static_cast<uint16_t>(number));
    return std::unique_ptr<sim::Device>(std::move(*engine));
  };
  return pair;
}

/// The programs until the first divergence; 0: none diverged.
unsigned programsUntilFound(const std::string &name, unsigned number, unsigned most) {
  const isa::Machine machine = machineOf(name);
  const Pair pair = faulty(name, number);
  for (unsigned i = 0; i < most; ++i) {
    const auto found = run(pair, machine, randomCase(machine, Seed + i));
    EXPECT_TRUE(found) << found.error();
    if (!found)
      return 0;
    if (*found)
      return i + 1;
  }
  return 0;
}

TEST(FaultyHardware, NothingIsFoundWithoutABug) {
  EXPECT_EQ(programsUntilFound("tiny", 0, WithoutBug), 0u);
  EXPECT_EQ(programsUntilFound("wide", 0, onBoth() ? WithoutBug : WithoutBug / Sample), 0u);
}

/// The cell of the table: programs, or nothing where the bug does not run on the machine.
std::string cell(const Bug &bug, const std::string &machine) {
  const bool isChosen = machine == "tiny" || bug.machine == "wide" || onBoth() || bug.number % Sample == 0;
  if (!isChosen || (bug.machine != "all" && bug.machine != machine))
    return "";
  const unsigned programs =
      programsUntilFound(machine, bug.number, machine == "tiny" ? MostPrograms : MostOnWide);
  EXPECT_NE(programs, 0u) << bug.name << " in " << bug.file << " was not found on " << machine;
  return std::to_string(programs);
}

class RandomProgramsFind : public ::testing::TestWithParam<Bug> {};

TEST_P(RandomProgramsFind, ThisBug) {
  const Bug &bug = GetParam();
  const std::string onTiny = cell(bug, "tiny"), onWide = cell(bug, "wide");
  std::cout << "| `" << bug.file << "` | " << bug.what << " | " << onTiny << " | " << onWide << " |"
            << std::endl;
}

INSTANTIATE_TEST_SUITE_P(FaultyHardware, RandomProgramsFind, ::testing::ValuesIn(bugs()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace daedalus::cosim
