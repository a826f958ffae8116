// Dependences of each kind, and the tokens that come of them.
#include "daedalus/isa/dependence.h"
#include "daedalus/isa/tokens.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

Dependences lastOf(const Machine &machine, const std::vector<Instruction> &instructions) {
  DependenceTracker tracker(machine);
  Dependences found;
  for (const Instruction &instruction : instructions)
    found = tracker.add(instruction);
  return found;
}

TEST(Dependence, ReadAfterWrite) {
  const Machine machine = machineNamed("default");
  const Dependences found = lastOf(machine, {loadTo(Scope::Wgt, 0, 256), loadTo(Scope::Inp, 0, 16),
                                             loadTo(Scope::Inp, 64, 16), product(0, 0, 0)});
  EXPECT_EQ(found.last(Module::Load), 1);
  EXPECT_EQ(found.last(Module::Vector), -1);
}

TEST(Dependence, WriteAfterRead) {
  const Machine machine = machineNamed("default");
  EXPECT_EQ(
      lastOf(machine, {product(3, 0, 0), product(4, 0, 0), loadTo(Scope::Inp, 48, 16)}).last(Module::Gemm),
      0);
}

TEST(Dependence, PartialRowsCount) {
  const Machine machine = machineNamed("default");
  EXPECT_EQ(lastOf(machine, {product(1, 0, 0), loadTo(Scope::Inp, 31, 1)}).last(Module::Gemm), 0);
  EXPECT_EQ(lastOf(machine, {product(1, 0, 0), loadTo(Scope::Inp, 32, 1)}).last(Module::Gemm), -1);
}

TEST(Dependence, PortsOfBanks) {
  const Machine machine = machineNamed("default"); // ACC: banks of 512 rows; INP: banks of 512 rows
  const Dependences acc = lastOf(machine, {moveRow(Scope::Inp, 0, Scope::Acc, 100), product(0, 0, 200)});
  EXPECT_EQ(acc.data[2].index, -1);
  EXPECT_EQ(acc.ports[2].index, 0);
  EXPECT_EQ(
      lastOf(machine, {moveRow(Scope::Inp, 0, Scope::Acc, 100), product(0, 0, 512)}).last(Module::Vector),
      -1);
  EXPECT_EQ(lastOf(machine, {moveRow(Scope::Inp, 9, Scope::Inp, 100), loadTo(Scope::Inp, 0, 16)})
                .last(Module::Vector),
            0);
  EXPECT_EQ(lastOf(machine, {moveRow(Scope::Inp, 9, Scope::Acc, 0), product(9, 0, 512)}).last(Module::Vector),
            -1)
      << "INP has a read port for each reader";
}

TEST(Dependence, BytesOfDram) {
  const Machine machine = machineNamed("default");
  Store pixels = storeRow(0, 8, 0); // every other 8 bytes
  pixels.loops[2] = {10, 16, 1};
  EXPECT_EQ(lastOf(machine, {pixels, loadTo(Scope::Inp, 0, 8, 1, 8)}).last(Module::Store), -1);
  EXPECT_EQ(lastOf(machine, {pixels, loadTo(Scope::Inp, 0, 9, 1, 8)}).last(Module::Store), 0);
  EXPECT_EQ(lastOf(machine, {pixels, loadTo(Scope::Inp, 0, 9, 2, 8)}).last(Module::Store), -1)
      << "other register";
  EXPECT_EQ(lastOf(machine, {loadTo(Scope::Inp, 0, 9, 1, 8), pixels}).last(Module::Load), 0);
}

TEST(Dependence, LaterRangesCutEarlierOnes) {
  const Machine machine = machineNamed("default");
  const std::vector<Instruction> stores = {storeRow(0, 100, 0), storeRow(0, 20, 40)};
  auto after = [&](uint32_t offset, uint16_t bytes) {
    std::vector<Instruction> program = stores;
    program.push_back(loadTo(Scope::Inp, 0, bytes, 1, offset));
    return lastOf(machine, program).last(Module::Store);
  };
  EXPECT_EQ(after(0, 40), 0);
  EXPECT_EQ(after(39, 2), 1);
  EXPECT_EQ(after(59, 1), 1);
  EXPECT_EQ(after(60, 40), 0);
  EXPECT_EQ(after(100, 40), -1);
}

TEST(Tokens, OnlyWhereNothingElseSaysSo) {
  const Machine machine = machineNamed("default");
  std::vector<Instruction> program = {
      loadTo(Scope::Inp, 0, 16),             // 0
      loadTo(Scope::Wgt, 0, 256),            // 1
      product(0, 0, 0),                      // 2 waits for 1, and so for 0
      product(0, 0, 1),                      // 3 needs 0 and 1: known
      moveRow(Scope::Acc, 1, Scope::Out, 0), // 4 waits for 3
      storeRow(0, 16),                       // 5 waits for 4
      loadTo(Scope::Inp, 16, 16, 1, 0),      // 6 reads what 5 writes
      moveRow(Scope::Inp, 0, Scope::Out, 1), // 7 reads what 0 loaded: known through 3
  };
  EXPECT_EQ(assignTokens(program, machine), (std::vector<TokenEdge>{{1, 2}, {3, 4}, {4, 5}, {5, 6}}));
  EXPECT_EQ(waitMask(program[2]), bits({Module::Load}));
  EXPECT_EQ(signalMask(program[0]), 0);
  EXPECT_EQ(signalMask(program[1]), bits({Module::Gemm}));
  EXPECT_EQ(waitMask(program[7]), 0);
}

TEST(Tokens, CountersStayWithinTheirLimit) {
  const Machine machine = machineNamed("default");
  std::vector<Instruction> program = {loadTo(Scope::Wgt, 0, 256)};
  for (uint16_t i = 0; i < 600; ++i)
    program.push_back(loadTo(Scope::Inp, i * 16u, 16));
  for (uint16_t i = 0; i < 600; ++i)
    program.push_back(product(i, 0, 0));
  const std::vector<TokenEdge> edges = assignTokens(program, machine);
  EXPECT_EQ(edges.size(), size_t(TokenCounterMax - machine.queueDepth));
  program.push_back(Finish{});
  EXPECT_TRUE(verify(programFor(machine, program), machine).empty());
}

TEST(Tokens, ExtraEdgesComeOnTop) {
  const Machine machine = machineNamed("default");
  std::vector<Instruction> program = {Nop{}, product(0, 0, 0), Nop{}, Finish{}};
  const std::vector<TokenEdge> extra = {{0, 1}, {1, 2}};
  EXPECT_EQ(computeTokens(program, machine, 0, extra), extra);
}

} // namespace
} // namespace daedalus::isa
