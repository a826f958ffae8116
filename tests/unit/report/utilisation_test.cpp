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

TEST(Utilisation, IsNothingWithoutAMachineOrEnoughCycles) {
  const isa::Machine m = machine();
  EXPECT_FALSE(usesOf(run({{100, 2560}}), nullptr)[0]);
  EXPECT_FALSE(usesOf(run({{0, 2560}}), &m)[0]);
  EXPECT_FALSE(usesOf(run({{10, 2561}}), &m)[0]) << "VECTOR multiplies too";
  EXPECT_FALSE(usesOf(run({{100, 2560}}, "cpu"), &m)[0]);
}

} // namespace
} // namespace daedalus::report
