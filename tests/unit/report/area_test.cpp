// Area: sums worked out by hand, the counted machines within the error that the built-in table states, and
// tables that are wrong.
#include "Report/Area/MachineArea.h"

#include "daedalus/isa/dram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace daedalus::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string head = "source: here\ngate_um2: 2\nram_bit_um2: 3\nerror_percent: 4\n";
const std::string good = head +
                         "ranges: {n: [8, 32]}\nrams: {inp_bytes: 16, n*lut_bytes: 8, param_bytes: 0.5}\n"
                         "modules:\n  gemm: {error_percent: 5, constant: 7, n*n: 2}\n"
                         "  load: {error_percent: 6, n*bus_bytes: 1, queue_depth: -100}\n";

isa::Machine machine(const std::string &name) {
  return *isa::loadMachine(name);
}

TEST(Area, IsTheSumOfTheTerms) {
  const MachineArea area = areaOf(machine("default,queue_depth=1"), *parseAreaTable(good, "t"));
  ASSERT_EQ(area.modules.size(), 2u);
  EXPECT_DOUBLE_EQ(area.modules[0].gates, 7 + 2 * 16 * 16);
  EXPECT_DOUBLE_EQ(area.modules[1].gates, 16 * 16 - 100);
  EXPECT_DOUBLE_EQ(area.gates, 519 + 156);
  EXPECT_DOUBLE_EQ(area.logic, 675 * 2e-6);
  EXPECT_EQ(area.ramBits, 16u * 32768 + 8 * 16 * 2048 + 4096);
  EXPECT_DOUBLE_EQ(area.ram, static_cast<double>(area.ramBits) * 3e-6);
  EXPECT_TRUE(area.outOfRange.empty());
}

TEST(Area, IsNeverNegative) {
  const MachineArea area = areaOf(machine("default,queue_depth=8"), *parseAreaTable(good, "t"));
  EXPECT_EQ(area.modules[1].gates, 0);
}

TEST(Area, OfKeysOutOfTheRangeIsSaidToBeExtrapolated) {
  const isa::Machine large = machine("large,n=64");
  EXPECT_THAT(areaOf(large, *parseAreaTable(good, "t")).outOfRange,
              ElementsAre("n is 64, fitted to 8 to 32"));
  EXPECT_THAT(areaText(large, defaultAreaTable()), HasSubstr("Extrapolated: n is 64, fitted to 8 to "));
  EXPECT_THAT(areaText(machine("tiny"), defaultAreaTable()), Not(HasSubstr("Extrapolated")));
}

TEST(Area, IsLabelledAsAnEstimate) {
  EXPECT_THAT(areaText(machine("tiny"), defaultAreaTable()), HasSubstr("mm2 (estimated)"));
  const Json json = areaJson(machine("tiny"), defaultAreaTable());
  EXPECT_GT(json["estimated_gates"], 0);
  EXPECT_GT(json["estimated_ram_mm2"], 0);
  EXPECT_EQ(json["ram_bits"], 418816);
  EXPECT_EQ(json["source"], defaultAreaTable().source);
}

/// The cells of a line of comma-separated values; a quoted one may hold commas.
std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

/// hw/area/counts.csv: what yosys counted, by column.
std::vector<std::map<std::string, std::string>> countedMachines() {
  std::ifstream file(COUNTS);
  std::string line;
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> machines;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cellsOf(line);
    if (line[0] == '#')
      continue;
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    for (size_t i = 0; i < cells.size(); ++i)
      (i ? machines.back() : machines.emplace_back())[columns[i]] = cells[i];
  }
  return machines;
}

/// Each machine is among those fitted to, so that the leave-one-out error bounds what is left.
TEST(Area, OfCountedMachinesIsWithinTheError) {
  const auto machines = countedMachines();
  ASSERT_GE(machines.size(), 4u);
  for (const auto &counted : machines) {
    const std::string &name = counted.at("machine");
    const MachineArea area = areaOf(machine(name), defaultAreaTable());
    EXPECT_EQ(std::to_string(area.ramBits), counted.at("ram_bits")) << name;
    double gates = 0;
    for (const ModuleArea &module : area.modules) {
      const double expected = std::stod(counted.at(module.name));
      gates += expected;
      EXPECT_NEAR(module.gates, expected, expected * (module.error + 0.1) / 100)
          << name << ", " << module.name;
    }
    EXPECT_NEAR(area.gates, gates, gates * (defaultAreaTable().error + 0.1) / 100) << name;
  }
}

/// What a machine has, and the table prices nothing that the machines of the table lack.
TEST(Area, TableAgreesWithTheCountsAboutTheRanges) {
  for (const auto &counted : countedMachines()) {
    EXPECT_THAT(areaOf(machine(counted.at("machine")), defaultAreaTable()).outOfRange, ::testing::IsEmpty());
    for (const auto &[key, value] : isa::numbersOf(machine(counted.at("machine"))))
      if (counted.count(key)) {
        EXPECT_EQ(std::to_string(value), counted.at(key)) << counted.at("machine") << ", " << key;
      }
  }
}

TEST(Area, TablesThatAreWrong) {
  const auto refusal = [](const std::string &yaml) {
    const auto table = parseAreaTable(yaml, "t.yaml");
    return table ? "" : table.error();
  };
  const std::string ranges = "ranges: {}\nrams: {n: 1}\n",
                    modules = "modules: {gemm: {error_percent: 1, n: 1}}\n";
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(head + ranges + modules), "");
  EXPECT_EQ(refusal("3"), "t.yaml: is no map of keys and values");
  EXPECT_THAT(refusal("a: ["), HasSubstr("t.yaml: not valid YAML: "));
  EXPECT_EQ(refusal(head + modules + "rams: {n: 1}\n"), "t.yaml: the key 'ranges' is missing");
  EXPECT_EQ(refusal(head + modules + "ranges: {}\n"), "t.yaml: the key 'rams' is missing");
  EXPECT_EQ(refusal("rams: 3\n"),
            "t.yaml: the key 'rams' is not a map from products of a machine's keys to bits");
  EXPECT_EQ(refusal("rams: {n: x}\n"), "t.yaml: the key 'rams.n' is 'x'; expected a number");
  EXPECT_EQ(refusal(good + "gate: 1\n"), "t.yaml: the key 'gate' is unknown or occurs twice");
  EXPECT_EQ(refusal("gate_um2: -1\n"), "t.yaml: the key 'gate_um2' is '-1'; expected a number, 0 or more");
  EXPECT_EQ(refusal("ram_bit_um2: .inf\n"),
            "t.yaml: the key 'ram_bit_um2' is '.inf'; expected a number, 0 or more");
  EXPECT_EQ(refusal("source: ''\n"),
            "t.yaml: the key 'source' is empty; expected where the numbers are from");
  EXPECT_EQ(refusal("ranges: {m: [1, 2]}\n"), "t.yaml: the key 'ranges.m' is no key of a machine");
  EXPECT_EQ(refusal("ranges: {n: [2, 1]}\n"),
            "t.yaml: the key 'ranges.n' is not a list of a smallest and a largest value");
  EXPECT_EQ(refusal("modules: {}\n"),
            "t.yaml: the key 'modules' is not a map from modules to the gates of their terms");
  EXPECT_EQ(refusal("modules: {gemm: {n: 1}}\n"),
            "t.yaml: the key 'modules.gemm' is not a map with an 'error_percent' and the gates of terms");
  EXPECT_EQ(refusal("modules: {gemm: {error_percent: 1, n: x}}\n"),
            "t.yaml: the key 'modules.gemm.n' is 'x'; expected a number");
  EXPECT_EQ(
      refusal("modules: {gemm: {error_percent: 1, n*m: 1}}\n"),
      "t.yaml: the key 'modules.gemm.n*m' names 'm', which no machine has; expected 'constant' or keys of a "
      "machine with '*' between them");
  EXPECT_THAT(readAreaTable("nowhere.yaml").error(), HasSubstr("nowhere.yaml"));
}

} // namespace
} // namespace daedalus::report
