// Where the cycles went that are no products: they add up.

#include "daedalus/runtime/overhead.h"

#include <gtest/gtest.h>

namespace daedalus::runtime {
namespace {

using isa::CounterClass;
using isa::CounterModule;

/// 1000 cycles: 100 before GEMM, 600 busy, 50 behind, and of the 250 between 180 waiting for LOAD.
RunResult sample(uint64_t instructions) {
  RunResult result;
  result.cycles = 1000;
  auto &gemm = result.counters[static_cast<size_t>(CounterModule::Gemm)];
  gemm[static_cast<size_t>(CounterClass::Busy)] = 600;
  gemm[static_cast<size_t>(CounterClass::WaitLoad)] = 100 + 180;
  result.activity[static_cast<size_t>(CounterModule::Gemm)] = {100, 50, instructions};
  return result;
}

TEST(Overhead, AddsUpToTheCyclesThatAreNoProducts) {
  const isa::Machine machine = *isa::loadMachine("default");
  const uint64_t instructions = 10, fill = instructions * (machine.gemmLatency + 1);
  const Overhead overhead = overheadOf(sample(instructions), 400, machine);
  EXPECT_EQ(overhead.prologue, 100u);
  EXPECT_EQ(overhead.epilogue, 50u);
  EXPECT_EQ(overhead.bus, 180u);
  EXPECT_EQ(overhead.tokens, 70u);
  EXPECT_EQ(overhead.fill, fill);
  EXPECT_EQ(overhead.padding, 600 - fill - 400);
  EXPECT_EQ(overhead.total(), 1000u - 400);
}

TEST(Overhead, IsNothingWhereGemmDidNothing) {
  EXPECT_EQ(overheadOf(sample(0), 400, *isa::loadMachine("default")).total(), 0u);
}

TEST(Overhead, HasNoPaddingWhereProductsAreMoreThanGemmWasBusy) {
  EXPECT_EQ(overheadOf(sample(10), 5000, *isa::loadMachine("default")).padding, 0u);
}

} // namespace
} // namespace daedalus::runtime
