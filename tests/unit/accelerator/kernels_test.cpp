// Every kernel kind on every machine: the compiled stream passes the verifier and gives the bytes of plain
// loops.

#include "stream_runner.h"

namespace daedalus::testing {
namespace {

using Parameters = std::tuple<std::string, Kind>;

const char *kindName(Kind kind) {
  static const char *names[] = {"Conv",           "Matmul",    "Add",       "MaxPool",
                                "MaxPoolRequant", "GlobalSum", "Depthwise", "Requant"};
  return names[static_cast<int>(kind)];
}

std::string describe(const KernelModel &m) {
  return std::string(kindName(m.kind)) + "\n" + kernelText(m, "kernel").substr(0, 300);
}

void expectCorrect(StreamRunner &runner, const KernelModel &model, const isa::Machine &machine,
                   std::mt19937 &random) {
  SCOPED_TRACE(machine.name + " " + describe(model));
  ASSERT_TRUE(runner.compile({model}, machine));
  std::vector<std::vector<int8_t>> inputs{randomBytes(model.inputBytes(), random)};
  if (model.kind == Kind::Add)
    inputs.push_back(randomBytes(model.inputBytes(), random));
  std::vector<int8_t> expected = referenceResult(model, inputs[0], inputs.back());
  std::vector<int8_t> found = runner.run("functional", inputs);
  ASSERT_EQ(found.size(), expected.size());
  size_t wrong = 0, first = found.size();
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i] && wrong++ == 0)
      first = i;
  ASSERT_EQ(wrong, 0u) << "first at " << first << ": " << int(found[first]) << ", expected "
                       << int(expected[first]);
}

class RandomKernels : public ::testing::TestWithParam<Parameters> {};

TEST_P(RandomKernels, GiveTheBytesOfPlainLoops) {
  auto [name, kind] = GetParam();
  isa::Machine machine = builtin(name);
  std::mt19937 random(1000 * static_cast<int>(kind) + 7);
  StreamRunner runner;
  for (int k = 0; k < (kind == Kind::Conv ? 12 : 5) && !HasFatalFailure(); ++k)
    expectCorrect(runner, randomKernel(kind, random), machine, random);
}

INSTANTIATE_TEST_SUITE_P(
    Accelerator, RandomKernels,
    ::testing::Combine(::testing::Values("default", "vta", "tiny", "large"),
                       ::testing::Values(Kind::Conv, Kind::Matmul, Kind::Add, Kind::MaxPool,
                                         Kind::MaxPoolRequant, Kind::GlobalSum, Kind::Depthwise,
                                         Kind::Requant)),
    [](const auto &info) { return std::get<0>(info.param) + "_" + kindName(std::get<1>(info.param)); });

KernelModel conv(int64_t h, int64_t w, int64_t c, int64_t oc, int64_t k, int64_t pad) {
  KernelModel m;
  m.h = h, m.w = w, m.c = c, m.oc = oc, m.kh = m.kw = k;
  m.pt = m.pl = m.pb = m.pr = pad;
  m.pad = 5;
  return m;
}

/// Kernels of which nothing fits a scratchpad of `tiny` at once.
class LargeKernels : public ::testing::Test {
protected:
  void expect(KernelModel model) {
    randomConstants(model, random);
    expectCorrect(runner, model, builtin("tiny"), random);
  }
  StreamRunner runner;
  std::mt19937 random{42};
};

TEST_F(LargeKernels, FullyConnectedOf4096Inputs) {
  KernelModel m;
  m.kind = Kind::Matmul;
  m.c = 4096, m.oc = 43, m.w = 1;
  expect(m);
}

TEST_F(LargeKernels, ManyOutputChannels) {
  expect(conv(3, 3, 9, 700, 1, 0));
}
TEST_F(LargeKernels, ManyRows) {
  expect(conv(1, 900, 24, 17, 1, 0));
}
TEST_F(LargeKernels, KernelOf11By11) {
  expect(conv(15, 15, 40, 9, 11, 5));
}
TEST_F(LargeKernels, KernelOfTheWholeImage) {
  expect(conv(20, 20, 8, 9, 20, 0));
}
TEST_F(LargeKernels, WholeImagePooled) {
  KernelModel m;
  m.kind = Kind::GlobalSum;
  m.h = m.w = 40, m.c = m.oc = 17;
  expect(m);
}

TEST_F(LargeKernels, WideDilation) {
  KernelModel m = conv(40, 40, 20, 8, 3, 16);
  m.dh = m.dw = 16;
  expect(m);
}

TEST_F(LargeKernels, PoolingWindowBeyondTheScratchpad) {
  KernelModel m;
  m.kind = Kind::MaxPool;
  m.h = m.w = 30, m.c = m.oc = 24, m.kh = m.kw = 25;
  m.pad = -128;
  m.pt = m.pl = 2;
  expect(m);
}

TEST_F(LargeKernels, FirstConvolutionOfThreeChannels) {
  KernelModel m = conv(33, 31, 3, 16, 7, 3);
  m.sh = m.sw = 2;
  expect(m);
}

/// What random kernels found.
class FoundByFuzzing : public ::testing::TestWithParam<const char *> {
protected:
  void expect(KernelModel model) {
    randomConstants(model, random);
    expectCorrect(runner, model, builtin(GetParam()), random);
  }
  StreamRunner runner;
  std::mt19937 random{3};
};

TEST_P(FoundByFuzzing, FoldedRunThatBeginsBeforeTheArena) {
  KernelModel m = conv(4, 8, 54, 20, 5, 1);
  m.pt = 12;
  m.sh = m.sw = 3;
  m.decisions =
      "dae.fold window dae.tile rows 1 columns 1 channels 1 window 1 x 1 lanes 99 dae.reorder channels";
  expect(m);
}

TEST_P(FoundByFuzzing, WholeImagePooledByAColumnWithAnIdleDilation) {
  KernelModel m;
  m.kind = Kind::MaxPool;
  m.h = m.kh = 4, m.c = m.oc = 64;
  m.sh = 3, m.sw = 2, m.dw = 4;
  expect(m);
}

INSTANTIATE_TEST_SUITE_P(Accelerator, FoundByFuzzing, ::testing::Values("default", "large"));

/// Three input channels: each way to fold the kernel's positions into lanes.
class Folds : public ::testing::TestWithParam<const char *> {};

TEST_P(Folds, GiveTheSameBytes) {
  std::mt19937 random(5);
  StreamRunner runner;
  for (const char *name : {"default", "tiny"}) {
    KernelModel m = conv(9, 12, 3, 5, 3, 1);
    m.sh = m.sw = 2;
    m.b = 2;
    m.decisions = std::string("dae.fold ") + GetParam() +
                  " dae.tile rows 2 columns 3 channels 1 window 3 x 3 lanes 99 dae.reorder channels";
    randomConstants(m, random);
    expectCorrect(runner, m, builtin(name), random);
  }
}

INSTANTIATE_TEST_SUITE_P(Accelerator, Folds, ::testing::Values("none", "columns", "window"));

TEST(Schedules, AnyTileSizesGiveTheSameBytes) {
  std::mt19937 random(6);
  StreamRunner runner;
  auto size = [&](int most) { return std::to_string(1 + random() % most); };
  for (int k = 0; k < 12; ++k) {
    KernelModel m = conv(9, 11, 37, 40, 3, 1);
    m.sh = 1 + k % 2, m.dw = 1 + k % 3 / 2, m.pl = m.pr = m.dw;
    m.decisions = "dae.tile rows " + size(4) + " columns " + size(4) + " channels " + size(2) + " window " +
                  size(3) + " x " + size(3) + " lanes " + size(3) + " dae.reorder " +
                  (k % 2 ? "pixels" : "channels") + (k % 4 < 2 ? " dae.ramp" : "");
    randomConstants(m, random);
    expectCorrect(runner, m, builtin(k % 3 ? "tiny" : "default"), random);
  }
}

} // namespace
} // namespace daedalus::testing
