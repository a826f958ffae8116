// Every planted bug must make systemc and the faulty RTL differ on some random program, the same programs for
// all. Prints the table of docs/verification.md: how many programs each bug took.
#include "daedalus/simulator/cosim.h"
#include "rtl/engine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace daedalus::cosim {
namespace {

constexpr unsigned MostPrograms = 1000; ///< as many as cosim_test runs on `tiny`
constexpr uint64_t Seed = 1'000'003;
const std::string folder = DAEDALUS_FAULTY_HARDWARE;

struct Bug {
  unsigned number = 0;
  std::string name, file, what;
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
    std::getline(fields, bug.file, '\t');
    std::getline(fields, bug.what);
    list.push_back(bug);
  }
  return list;
}

/// systemc beside the RTL with that bug; 0: with none.
Pair faulty(unsigned number) {
  Pair pair = engines("systemc", "rtl");
  std::string model;
  std::getline(std::ifstream(folder + "/model.path"), model);
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

/// The programs until the first divergence, with its first line; 0: none diverged.
std::pair<unsigned, std::string> programsUntilFound(unsigned number, unsigned most) {
  const isa::Machine machine = *isa::loadMachine("tiny");
  const Pair pair = faulty(number);
  for (unsigned i = 0; i < most; ++i) {
    const auto found = run(pair, machine, randomCase(machine, Seed + i));
    EXPECT_TRUE(found) << found.error();
    if (!found)
      return {0, found.error()};
    if (*found)
      return {i + 1, (*found)->text.substr(0, (*found)->text.find('\n'))};
  }
  return {0, ""};
}

TEST(FaultyHardware, NothingIsFoundWithoutABug) {
  EXPECT_EQ(programsUntilFound(0, MostPrograms).first, 0u);
}

class RandomProgramsFind : public ::testing::TestWithParam<Bug> {};

TEST_P(RandomProgramsFind, ThisBug) {
  const Bug &bug = GetParam();
  const auto [programs, text] = programsUntilFound(bug.number, MostPrograms);
  EXPECT_NE(programs, 0u) << bug.name << " in " << bug.file << " was not found";
  std::cout << "| `" << bug.file << "` | " << bug.what << " | " << programs << " |" << std::endl;
}

INSTANTIATE_TEST_SUITE_P(FaultyHardware, RandomProgramsFind, ::testing::ValuesIn(bugs()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace daedalus::cosim
