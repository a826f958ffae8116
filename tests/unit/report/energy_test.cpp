// Energy by instruction, worked out by hand, and tables that are wrong.
#include "Report/Energy/LayerEnergy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::report {
namespace {

using ::testing::HasSubstr;

const isa::Machine &machine() {
  static const isa::Machine machine = *isa::loadMachine("default");
  return machine;
}

/// 1 pJ a multiply-accumulate, 10 an addition, 100 a multiplication, 1 a byte of a scratchpad, 1000 of DRAM.
EnergyTable table() {
  return *parseEnergyTable("source: here\nmultiply_accumulate_pj: 1\nadd_pj: 10\nmultiply_pj: 100\n"
                           "sram_pj_per_byte: {8: 1}\ndram_pj_per_byte: 1000\n",
                           "here");
}

constexpr double ofFetch = 64 * 1000;

TEST(Energy, OfProducts) {
  isa::Gemm gemm;
  gemm.loops[5].count = 3;
  const Energy energy = energyOf(gemm, machine(), table());
  EXPECT_DOUBLE_EQ(energy.array, 3 * 256);
  EXPECT_DOUBLE_EQ(energy.scratchpads, 3 * (16 + 256 + 128)); // INP, WGT, a sum twice
  EXPECT_DOUBLE_EQ(energy.dram, ofFetch);
  EXPECT_DOUBLE_EQ(energy.total(), energy.array + energy.scratchpads + energy.dram);
}

TEST(Energy, OfVector) {
  isa::Vector vector;
  vector.op = isa::VectorOp::Requant;
  vector.aScope = isa::Scope::Acc, vector.bScope = isa::Scope::Param, vector.dstScope = isa::Scope::Out;
  vector.loops[4].count = 2;
  Energy energy = energyOf(vector, machine(), table());
  EXPECT_DOUBLE_EQ(energy.vector, 2 * 16 * 100);
  EXPECT_DOUBLE_EQ(energy.scratchpads, 2 * (64 + 256 + 16));
  vector.op = isa::VectorOp::Add;
  vector.aScope = isa::Scope::Inp, vector.bScope = isa::Scope::None, vector.dstScope = isa::Scope::Acc;
  vector.reduction = 1 << 4;
  energy = energyOf(vector, machine(), table());
  EXPECT_DOUBLE_EQ(energy.vector, 2 * 16 * 10);
  EXPECT_DOUBLE_EQ(energy.scratchpads, 2 * (16 + 64 + 64));
}

TEST(Energy, OfTransfers) {
  isa::Load load;
  load.scope = isa::Scope::Inp, load.unbounded = true, load.runBytes = 48;
  EXPECT_DOUBLE_EQ(energyOf(load, machine(), table()).dram, ofFetch + 48 * 1000);
  EXPECT_DOUBLE_EQ(energyOf(load, machine(), table()).scratchpads, 48);
  isa::Store store;
  store.base = 1, store.runBytes = 20;
  EXPECT_DOUBLE_EQ(energyOf(store, machine(), table()).dram, ofFetch + 20 * 1000);
  EXPECT_DOUBLE_EQ(energyOf(store, machine(), table()).scratchpads, 20);
}

TEST(Energy, OfBanksBetweenTheTablesSizes) {
  const EnergyTable &table = defaultEnergyTable();
  EXPECT_DOUBLE_EQ(table.sramByte(8 * 1024), 1.25);
  EXPECT_DOUBLE_EQ(table.sramByte(512), 1.25);
  EXPECT_NEAR(table.sramByte(16 * 1024), 1.25 * std::sqrt(2.0), 1e-9); // doubles where the size quadruples
  EXPECT_DOUBLE_EQ(table.sramByte(1 << 24), 12.5);
}

TEST(Energy, TablesThatAreWrong) {
  const std::string good =
      "source: s\nmultiply_accumulate_pj: 1\nadd_pj: 1\nmultiply_pj: 1\ndram_pj_per_byte: 1\n";
  const auto refusal = [](const std::string &yaml) {
    const auto table = parseEnergyTable(yaml, "t.yaml");
    return table ? "" : table.error();
  };
  EXPECT_EQ(refusal(good + "sram_pj_per_byte: {8: 1}\n"), "");
  EXPECT_EQ(refusal(good), "t.yaml: the key 'sram_pj_per_byte' is missing");
  EXPECT_EQ(refusal(good + "sram_pj_per_byte: 3\n"),
            "t.yaml: the key 'sram_pj_per_byte' is not a map from KiB to picojoules");
  EXPECT_EQ(refusal(good + "sram_pj_per_byte: {zero: 1}\n"),
            "t.yaml: the key 'sram_pj_per_byte.zero' is not the size of a bank in KiB");
  EXPECT_EQ(refusal(good + "sram_pj_per_byte: {8: -1}\n"),
            "t.yaml: the key 'sram_pj_per_byte.8' is '-1'; expected a number of picojoules from 0 to 1e12");
  EXPECT_EQ(refusal(good + "volts: 1\n"), "t.yaml: the key 'volts' is unknown or given twice");
  EXPECT_EQ(refusal("[1]"), "t.yaml: is not a map of keys and values");
  EXPECT_THAT(refusal("a: ["), HasSubstr("t.yaml: not valid YAML: "));
  EXPECT_THAT(refusal("source: s\nadd_pj: .nan\n"), HasSubstr("the key 'add_pj' is '.nan'"));
}

} // namespace
} // namespace daedalus::report
