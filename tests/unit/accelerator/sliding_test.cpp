// GEMM's window over depthwise convolutions: the bytes of plain loops for every height of the window that the
// machine has, in tiles of all kinds, the cycles of R26, and what plans may say of it.
// DAEDALUS_SLIDING_LAYERS: how many random layers (60).

#include "stream_runner.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace daedalus::testing {
namespace {

int64_t pick(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

KernelModel depthwise(int64_t h, int64_t w, int64_t c, int64_t kh, int64_t kw) {
  KernelModel m;
  m.kind = Kind::Depthwise;
  m.h = h, m.w = w, m.c = m.oc = c, m.kh = kh, m.kw = kw;
  return m;
}

/// Kernels of 1 to 11, rectangular, strides 1 to 4, dilation, channels that fill no block, weights of uint8.
KernelModel randomLayer(std::mt19937 &random) {
  const auto size = [&] { return pick(random, 0, 2) ? pick(random, 1, 5) : pick(random, 1, 11); };
  const auto dilation = [&] { return pick(random, 0, 3) ? 1 : pick(random, 2, 3); };
  KernelModel m = depthwise(pick(random, 1, 23), pick(random, 1, 23), pick(random, 1, 70), size(), size());
  m.kw += m.kh * m.kw == 1;
  m.b = pick(random, 0, 5) ? 1 : 2;
  m.sh = pick(random, 1, 4), m.sw = pick(random, 1, 4), m.dh = dilation(), m.dw = dilation();
  const int64_t up = m.dh * (m.kh - 1), across = m.dw * (m.kw - 1);
  m.pt = pick(random, 0, up), m.pb = pick(random, 0, up), m.pl = pick(random, 0, across),
  m.pr = pick(random, 0, across);
  m.h = std::max(m.h, up + 1 - m.pt - m.pb), m.w = std::max(m.w, across + 1 - m.pl - m.pr);
  m.pad = static_cast<int8_t>(pick(random, -128, 127));
  m.weightZero = pick(random, 0, 3) ? 0 : static_cast<int32_t>(pick(random, -128, 127));
  randomConstants(m, random);
  return m;
}

std::string tile(int64_t rows, int64_t columns, int64_t channels, const KernelModel &m) {
  return "dae.tile rows " + std::to_string(rows) + " columns " + std::to_string(columns) + " channels " +
         std::to_string(channels) + " window " + std::to_string(m.kh) + " x " + std::to_string(m.kw) +
         " lanes 1";
}

class Sliding : public ::testing::Test {
protected:
  bool slides() const {
    return std::any_of(runner.stream.instructions.begin(), runner.stream.instructions.end(),
                       [](const isa::Instruction &instruction) {
                         const auto *gemm = std::get_if<isa::Gemm>(&instruction);
                         return gemm && gemm->window;
                       });
  }

  /// As the planner decides, or the model's decisions do.
  void check(const KernelModel &m, const isa::Machine &machine, const char *engine = "functional") {
    SCOPED_TRACE(machine.name + " " + m.decisions + "\n" + kernelText(m, "kernel").substr(0, 400));
    ASSERT_TRUE(runner.compile({m}, machine));
    const std::vector<int8_t> input = randomBytes(m.inputBytes(), random);
    ASSERT_EQ(runner.run(engine, {input}), referenceResult(m, input, {}));
  }

  std::mt19937 random{19};
  StreamRunner runner;
};

TEST_F(Sliding, TakesTheCyclesOfItsColumns) {
  struct Case {
    const char *machine;
    int64_t k, stride, slide, passes, columns;
  };
  constexpr int64_t size = 12;
  for (const Case &c :
       {Case{"tiny", 3, 1, 2, 2, 3}, Case{"tiny", 3, 2, 2, 2, 3}, Case{"tiny", 5, 1, 1, 5, 5},
        Case{"tiny", 3, 3, 1, 3, 3}, Case{"tiny", 2, 1, 2, 1, 2}, Case{"tiny", 7, 1, 1, 7, 7}}) {
    KernelModel m = depthwise(size, size, 8, c.k, c.k);
    m.sh = m.sw = c.stride;
    randomConstants(m, random);
    const int64_t out = m.oh();
    m.decisions = tile(2, out, 1, m) + " dae.slide rows " + std::to_string(c.slide);
    const isa::Machine machine = builtin(c.machine);
    check(m, machine, "systemc");
    const int64_t instructions = (out + 1) / 2,
                  products = out * c.passes * (c.columns + c.stride * (out - 1)); // R26
    EXPECT_EQ(
        runner.counter(isa::CounterModule::Gemm, isa::CounterClass::Busy),
        uint64_t(products + instructions * (machine.gemmLatency + 1))); // from start to end, both included
  }
}

TEST_F(Sliding, EveryHeightOfTheWindowInEveryTile) {
  size_t slid = 0;
  for (int round = 0; round < 60; ++round) {
    KernelModel m = randomLayer(random);
    const isa::Machine machine = builtin("tiny");
    const int64_t slide = pick(random, 1, 4),
                  share = pick(random, 0, 2) || m.weightZero ? 0 : pick(random, 1, 15);
    m.decisions = tile(pick(random, 1, 3), pick(random, 1, 6), pick(random, 1, 2), m) + " dae.slide rows " +
                  std::to_string(slide) + (share ? " dae.split vector " + std::to_string(share) : "");
    if (!runner.tryToCompile({m}, machine))
      continue;
    ++slid;
    ASSERT_NO_FATAL_FAILURE(check(m, machine, round % 4 ? "functional" : "systemc"));
    EXPECT_TRUE(slides() || share);
  }
  EXPECT_GT(slid, 15u);
}

TEST_F(Sliding, RandomLayersHaveTheBytesOfPlainLoops) {
  const char *given = std::getenv("DAEDALUS_SLIDING_LAYERS");
  const int layers = given ? std::atoi(given) : 60;
  int slid = 0;
  for (int layer = 0; layer < layers; ++layer) {
    const KernelModel m = randomLayer(random);
    constexpr const char *machines[] = {"tiny", "default", "large"};
    isa::Machine machine = builtin(machines[layer % 3]);
    machine.inpInterleave = 1 << pick(random, 0, 2);
    ASSERT_NO_FATAL_FAILURE(check(m, machine, layer % 4 ? "functional" : "systemc"));
    slid += slides();
  }
  std::cout << slid << " of " << layers << " layers with a window of GEMM\n";
  EXPECT_GT(slid, layers / 2);
}

TEST_F(Sliding, PlansThatCannotSlideSayWhy) {
  isa::Machine machine = builtin("tiny");
  KernelModel m = depthwise(9, 9, 8, 3, 3);
  randomConstants(m, random);
  const auto refuses = [&](const std::string &decisions, const std::string &why) {
    m.decisions = decisions;
    EXPECT_EQ(runner.refusal({m}, machine),
              "cannot tile kernel 'k0' so: its schedule slides a window of " + why);
  };
  machine.inpInterleave = 2;
  refuses(tile(2, 7, 1, m) + " dae.slide rows 3", "3 rows, machine tiny has inp_interleave = 2");
  refuses("dae.tile rows 2 columns 7 channels 1 window 1 x 3 lanes 1 dae.slide rows 2",
          "2 rows over 1 x 3 kernel positions; expected all 3 x 3");
  m.dh = 2;
  refuses(tile(2, 7, 1, m) + " dae.slide rows 2",
          "2 rows, which do not cover the 3 rows of its kernel evenly or lie an even number of rows apart");
  m = layer(Kind::Conv, 9, 8, 8, 3, 1);
  randomConstants(m, random);
  refuses(tile(2, 9, 1, m) + " dae.slide rows 2", "2 rows, but its channels do not stay apart");
}

} // namespace
} // namespace daedalus::testing
