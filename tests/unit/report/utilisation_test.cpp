// Parts of the products that the array could do in the cycles that GEMM had for a layer.

#include "sides.h"

#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

isa::Machine machine() {
  return *isa::loadMachine("default"); // 16 x 16
}

/// Of layers with these cycles of GEMM and products.
runtime::RunResult run(const std::vector<std::pair<uint64_t, uint64_t>> &gemmAndMacs,
                       const std::string &target = "accelerator") {
  runtime::RunResult result;
  for (const auto &[cycles, macs] : gemmAndMacs)
    result.layers.push_back(layer(static_cast<uint32_t>(result.layers.size()), "n", target, cycles, macs));
  return result;
}

TEST(Utilisation, IsOfTheProductsThatTheCyclesOfGemmHaveRoomFor) {
  const isa::Machine m = machine();
  const auto uses = usesOf(run({{100, 12800}, {50, 0}, {10, 2560}}), &m);
  EXPECT_DOUBLE_EQ(*uses[0], 0.5);
  EXPECT_DOUBLE_EQ(*uses[2], 1);
  EXPECT_EQ(textOf(uses[0]), "50.0%");
  EXPECT_EQ(textOf(uses[1]), "-");
}

TEST(Utilisation, LeavesOutTheProductsOfVector) {
  const isa::Machine m = machine();
  runtime::RunResult shared = run({{100, 12800}, {40, 2560}});
  shared.layers[0].vectorMacs = 6400, shared.layers[1].vectorMacs = 2560;
  shared.cycles = 100;
  const auto uses = usesOf(shared, &m);
  EXPECT_DOUBLE_EQ(*uses[0], 0.25);
  EXPECT_FALSE(uses[1]) << "all of them are VECTOR's";
  EXPECT_DOUBLE_EQ(*useOf(shared, &m), 0.25);
}

TEST(Utilisation, IsNothingWithoutAMachineOrCyclesOfGemm) {
  const isa::Machine m = machine();
  EXPECT_FALSE(usesOf(run({{100, 2560}}), nullptr)[0]);
  EXPECT_FALSE(usesOf(run({{0, 2560}}), &m)[0]);
  EXPECT_FALSE(usesOf(run({{100, 2560}}, "cpu"), &m)[0]);
}

} // namespace
} // namespace daedalus::report
