// Every planted bug must make systemc and the faulty RTL differ on some random program, the same programs for
// all: on `tiny`, and on a machine of other widths, sizes and depths. Of the bugs that can be on both, every
// eighth runs on the second, with DAEDALUS_PLANTED_BUGS=both every one. The program that found a bug before
// (found.tsv) is tried first, unless DAEDALUS_PLANTED_BUGS is set. Prints a line a bug: which program found
// it on each machine.
#include "daedalus/simulator/cosim.h"
#include "rtl/engine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace daedalus::cosim {
namespace {

constexpr unsigned MostPrograms = 12000; ///< what few programs find is found by the one that is known
constexpr unsigned WithoutBug = 1000;    ///< as many as cosim_test runs on `tiny`
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

/// Whether the bug runs on the machine: on wide every eighth of those that are bugs of both.
/// DAEDALUS_PLANTED_BUGS, `both`: all on both; a number of 0 to 7: on wide alone, those whose number leaves
/// it over when divided by eight.
bool isChosen(const Bug &bug, const std::string &machine) {
  if (bug.machine != "all" && bug.machine != machine)
    return false;
  const char *setting = std::getenv("DAEDALUS_PLANTED_BUGS");
  if (!setting)
    return machine == "tiny" || bug.machine == "wide" || bug.number % Sample == 0;
  if (setting == std::string("both"))
    return true;
  return machine == "wide" && bug.number % Sample == static_cast<unsigned>(std::atoi(setting)) % Sample;
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

/// The programs that found bugs before, from 1, by the bug's name and the machine: the lines of found.tsv.
std::map<std::pair<std::string, std::string>, unsigned> programsOfBefore() {
  std::map<std::pair<std::string, std::string>, unsigned> programs;
  std::ifstream in(DAEDALUS_FOUND_BUGS);
  std::string name, machine;
  for (unsigned program = 0; in >> name >> machine >> program;)
    programs[{name, machine}] = program;
  return programs;
}

/// The program, from 1, that is tried first; 1 where none is known.
unsigned firstTried(const std::string &bug, const std::string &machine) {
  static const auto programs = programsOfBefore();
  const auto known = programs.find({bug, machine});
  return known == programs.end() || std::getenv("DAEDALUS_PLANTED_BUGS") ? 1 : known->second;
}

bool differsOn(const Pair &pair, const isa::Machine &machine, unsigned program) {
  const auto found = run(pair, machine, randomCase(machine, Seed + program - 1));
  EXPECT_TRUE(found) << found.error();
  return found && *found;
}

/// A program finds a bug only if the two agree on it without one.
void expectAgreementWithoutBug(const std::string &name, unsigned program) {
  static std::set<std::pair<std::string, unsigned>> agreed;
  if (agreed.insert({name, program}).second)
    EXPECT_FALSE(differsOn(faulty(name, 0), machineOf(name), program)) << "program " << program;
}

/// The program, of `count` from 1, with which the two differ: `first` if it is that, else the first one; 0:
/// with none.
unsigned programThatFinds(const std::string &name, unsigned number, unsigned count, unsigned first = 1) {
  const isa::Machine machine = machineOf(name);
  const Pair pair = faulty(name, number);
  if (first <= count && differsOn(pair, machine, first))
    return first;
  for (unsigned program = 1; program <= count && !::testing::Test::HasFailure(); ++program)
    if (program != first && differsOn(pair, machine, program))
      return program;
  return 0;
}

TEST(FaultyHardware, NothingIsFoundWithoutABug) {
  EXPECT_EQ(programThatFinds("tiny", 0, WithoutBug), 0u);
  EXPECT_EQ(programThatFinds("wide", 0, WithoutBug / Sample), 0u);
}

/// The program, or nothing where the bug does not run on the machine.
std::string cell(const Bug &bug, const std::string &machine) {
  if (!isChosen(bug, machine))
    return "";
  const unsigned program = programThatFinds(machine, bug.number, MostPrograms, firstTried(bug.name, machine));
  EXPECT_NE(program, 0u) << bug.name << " in " << bug.file << " was not found on " << machine;
  if (program != 0)
    expectAgreementWithoutBug(machine, program);
  return std::to_string(program);
}

class RandomProgramsFind : public ::testing::TestWithParam<Bug> {};

TEST_P(RandomProgramsFind, ThisBug) {
  const Bug &bug = GetParam();
  const std::string onTiny = cell(bug, "tiny"), onWide = cell(bug, "wide");
  for (const auto &[machine, program] : {std::pair{"tiny", onTiny}, {"wide", onWide}})
    if (!program.empty())
      std::cout << "found " << bug.name << " on " << machine << " by program " << program << std::endl;
}

INSTANTIATE_TEST_SUITE_P(FaultyHardware, RandomProgramsFind, ::testing::ValuesIn(bugs()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace daedalus::cosim
