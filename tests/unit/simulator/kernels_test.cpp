// The vectorised kernels against the readable semantics, on every row width and every level that the host's
// CPU has, from random scratchpads.
#include "common/core_state.h"
#include "daedalus/simulator/random_program.h"
#include "functional/instructions.h"
#include "kernels/host.h"
#include "kernels/kernels.h"
#include "support/device_harness.h"

#include <random>

namespace daedalus::testing {
namespace {

using cosim::randomProgram;
using cosim::RandomProgram;

/// Runs one instruction both ways, from the same state, and compares what both leave behind.
template <class I> void compare(const I &instruction, sim::CoreState &readable, sim::CoreState &fast) {
  const auto fault = sim::functional::execute(instruction, readable);
  const bool executed = sim::kernels::execute(instruction, fast);
  ASSERT_EQ(executed, !fault) << fault->detail;
  for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
    ASSERT_EQ(readable.scratchpads[scope], fast.scratchpads[scope])
        << isa::name(static_cast<isa::Scope>(scope));
  ASSERT_TRUE(std::equal(readable.dram.span().begin(), readable.dram.span().end(), fast.dram.span().begin()));
}
void compare(const isa::Nop &, sim::CoreState &, sim::CoreState &) {}
void compare(const isa::Mark &, sim::CoreState &, sim::CoreState &) {}
void compare(const isa::Finish &, sim::CoreState &, sim::CoreState &) {}

void randomize(sim::CoreState &core, std::mt19937 &random) {
  for (auto &scratchpad : core.scratchpads)
    for (uint8_t &byte : scratchpad)
      byte = static_cast<uint8_t>(random());
}

using sim::kernels::Level;

class Kernels : public ::testing::TestWithParam<std::tuple<unsigned, Level>> {
protected:
  ~Kernels() override { sim::kernels::useLevel(sim::kernels::hostLevel()); }
};

TEST_P(Kernels, DoWhatTheReadableSemanticsDo) {
  const auto [n, level] = GetParam();
  if (level > sim::kernels::hostLevel())
    GTEST_SKIP() << "the host's CPU does not have this level";
  sim::kernels::useLevel(level);
  isa::Machine machine = builtin(n == 8 ? "tiny" : "large");
  machine.n = n;
  machine.inpInterleave = 4;
  std::mt19937 random(n);
  for (unsigned seed = 0; seed < 6; ++seed) {
    const RandomProgram program = randomProgram(machine, seed);
    const uint32_t bytes = program.program.bases[0].limit;
    sim::CoreState readable(machine, 2 * bytes), fast(machine, 2 * bytes);
    randomize(readable, random);
    fast.scratchpads = readable.scratchpads;
    for (sim::CoreState *core : {&readable, &fast}) {
      std::copy(program.constants.begin(), program.constants.end(), core->dram.at(0));
      std::copy(program.arena.begin(), program.arena.end(), core->dram.at(bytes));
      core->bases[0] = {0, bytes};
      core->bases[1] = {bytes, bytes};
    }
    for (const isa::Instruction &instruction : program.program.instructions)
      std::visit([&](const auto &fields) { compare(fields, readable, fast); }, instruction);
  }
}

/// The sums of a GEMM at their largest, added to rows of ACC that they wrap: in one row, and in a row each.
TEST_P(Kernels, WrapSumsOfExtremeBytes) {
  const auto [n, level] = GetParam();
  if (level > sim::kernels::hostLevel())
    GTEST_SKIP() << "the host's CPU does not have this level";
  sim::kernels::useLevel(level);
  isa::Machine machine = builtin(n == 8 ? "tiny" : "large");
  machine.n = n;
  sim::CoreState readable(machine, 4096), fast(machine, 4096);
  for (sim::CoreState *core : {&readable, &fast}) {
    for (const isa::Scope scope : {isa::Scope::Inp, isa::Scope::Wgt})
      std::fill(core->scratchpad(scope).begin(), core->scratchpad(scope).end(), 0x80);
    auto *acc = reinterpret_cast<int32_t *>(core->scratchpad(isa::Scope::Acc).data());
    std::fill(acc, acc + core->scratchpad(isa::Scope::Acc).size() / 4, 0x7fffffff);
  }
  isa::Gemm gemm;
  gemm.accumulate = true;
  gemm.reduction = 0b100001;
  gemm.loops.fill({1, 0, 0, 0});
  gemm.loops[0] = {2, 1, 1, 0};
  for (const int16_t accStride : {0, 1}) {
    gemm.loops[5] = {3, 1, 1, accStride};
    compare(gemm, readable, fast);
  }
  gemm.reduction = 1;
  gemm.line = gemm.step = 1;
  gemm.lead = static_cast<uint8_t>(n - 1);
  for (gemm.window = 1; gemm.window <= 4; ++gemm.window)
    compare(gemm, readable, fast);
}

INSTANTIATE_TEST_SUITE_P(RowWidths, Kernels,
                         ::testing::Combine(::testing::Values(8u, 16u, 32u, 64u),
                                            ::testing::Values(Level::Base, Level::Avx2, Level::Avx512,
                                                              Level::Vnni)));

TEST(KernelFaults, AreLeftToTheReadableSemantics) {
  sim::CoreState core(builtin("tiny"), 4096);
  isa::Gemm gemm;
  gemm.acc = 0xffff;
  EXPECT_FALSE(sim::kernels::execute(gemm, core));
  isa::Load load;
  load.scope = isa::Scope::Inp;
  load.unbounded = true;
  load.runBytes = 1;
  EXPECT_FALSE(sim::kernels::execute(load, core)); // a limit of zero
  isa::Store store;
  store.runBytes = 1;
  EXPECT_FALSE(sim::kernels::execute(store, core));
}

} // namespace
} // namespace daedalus::testing
