// How many instructions a kernel takes: the estimate from its tiles against what is emitted, and kernels that
// take more than a stream has.

#include "stream_runner.h"

namespace daedalus::testing {
namespace {

Result<accelerator::Supported> estimate(StreamRunner &runner, const std::string &text,
                                        const std::string &machine) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
  return accelerator::acceleratorSupports(*module->getOps<mlir::func::FuncOp>().begin(), builtin(machine));
}

class Instructions : public ::testing::TestWithParam<const char *> {};

TEST_P(Instructions, AreEstimatedFromTheTiles) {
  std::mt19937 random(21);
  for (KernelModel m : {layer(Kind::Conv, 112, 16, 64, 3, 1), layer(Kind::Conv, 112, 3, 64, 7, 2),
                        layer(Kind::Conv, 56, 64, 256, 1, 1), layer(Kind::MaxPool, 112, 64, 64, 3, 2),
                        layer(Kind::Add, 112, 64, 64, 1, 1), layer(Kind::Requant, 112, 64, 64, 1, 1),
                        layer(Kind::Matmul, 1, 1024, 1024, 1, 1)}) {
    if (m.kind == Kind::Matmul)
      m.w = 256;
    randomConstants(m, random);
    StreamRunner runner;
    const auto estimated = estimate(runner, kernelText(m, "kernel"), GetParam());
    ASSERT_TRUE(bool(estimated)) << estimated.error();
    const double expected = double(estimated->instructions);
    ASSERT_TRUE(runner.compile({m}, builtin(GetParam())));
    const double emitted = double(runner.stream.instructions.size());
    // The planner may take another schedule than the one that the closed form likes best.
    EXPECT_LT(emitted, 2 * expected + 20) << kernelText(m, "kernel").substr(0, 200);
    EXPECT_GT(emitted, expected / 2 - 20) << kernelText(m, "kernel").substr(0, 200);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Instructions, ::testing::Values("default", "vta", "tiny", "large"));

TEST(ManyInstructions, AreRefusedBeforePlanning) {
  std::mt19937 random(22);
  for (auto [kind, count] :
       {std::pair(Kind::Conv, "300034"), {Kind::MaxPool, "300032"}, {Kind::Add, "881083"}}) {
    KernelModel m = layer(kind, 8192, 16, 16, 3, 1);
    if (kind == Kind::Add)
      m.kh = m.kw = 1, m.pt = m.pl = m.pb = m.pr = 0;
    randomConstants(m, random);
    StreamRunner runner;
    const auto refused = estimate(runner, kernelText(m, "kernel"), "default");
    ASSERT_FALSE(bool(refused));
    EXPECT_EQ(refused.error(),
              std::string("would take about ") + count + " instructions; a stream has at most 262144");
  }
}

TEST(ManyInstructions, AreRefusedOfAUsersSchedule) {
  std::mt19937 random(23);
  KernelModel m = layer(Kind::Conv, 512, 16, 16, 3, 1);
  m.decisions = "dae.tile rows 1 columns 1 channels 1 window 1 x 1 lanes 1";
  randomConstants(m, random);
  EXPECT_EQ(StreamRunner().refusal({m}, builtin("default")),
            "cannot tile kernel 'k0' so: would take about 5242890 instructions; a stream has at most 262144");
}

} // namespace
} // namespace daedalus::testing
