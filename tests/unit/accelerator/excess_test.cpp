// Weights less a zero point, of which some leave int8: the bytes of plain loops with all forms of tiles, and
// what such a weight costs.
// DAEDALUS_EXCESS_LAYERS: how many random layers (120).

#include "stream_runner.h"

#include "Kernels/Kernel.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>

namespace daedalus::testing {
namespace {

int64_t pick(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

/// Most of the weights less `zero` are int8; one in `every` is any.
void leaveInt8(KernelModel &m, std::mt19937 &random, int32_t zero, int64_t every) {
  m.weightZero = zero;
  const int64_t lo = std::max(-128, -128 + zero), hi = std::min(127, 127 + zero);
  for (int8_t &weight : m.weights)
    weight = pick(random, 1, every) > 1 ? pick(random, lo, hi) : pick(random, -128, 127);
}

/// Tiles that divide the layer or not, with the reduction in one step or several.
std::string randomDecisions(const KernelModel &m, std::mt19937 &random) {
  const auto text = [](int64_t value) { return std::to_string(value); };
  const bool isDepthwise = m.kind == Kind::Depthwise;
  std::string all = "dae.tile rows " + text(pick(random, 1, m.oh())) + " columns " +
                    text(pick(random, 1, m.ow())) + " channels " + text(pick(random, 1, 4)) + " window " +
                    text(pick(random, 1, m.kh)) + " x " + text(pick(random, 1, m.kw)) + " lanes " +
                    text(isDepthwise ? 1 : pick(random, 1, 4));
  if (pick(random, 0, 2) == 0)
    all += " dae.reorder channels";
  if (isDepthwise && pick(random, 0, 2) == 0)
    all += " dae.split vector " + text(pick(random, 1, 16));
  if (pick(random, 0, 2) == 0)
    all += " dae.ramp";
  return all;
}

KernelModel randomLayer(std::mt19937 &random) {
  KernelModel m = randomKernel(pick(random, 0, 2) ? Kind::Conv : Kind::Depthwise, random);
  leaveInt8(m, random, pick(random, 0, 1) ? pick(random, -20, 20) : pick(random, -127, 127),
            pick(random, 1, 400));
  return m;
}

class Excess : public ::testing::Test {
protected:
  void check(const KernelModel &m, const isa::Machine &machine, const char *engine) {
    SCOPED_TRACE(machine.name + " " + m.decisions + "\n" + kernelText(m, "kernel").substr(0, 400));
    ASSERT_TRUE(runner.compile({m}, machine));
    const std::vector<int8_t> input = randomBytes(m.inputBytes(), random);
    ASSERT_EQ(runner.run(engine, {input}), referenceResult(m, input, {}));
  }

  accelerator::Kernel read(const KernelModel &m, int64_t n) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelText(m, "kernel"), &runner.context);
    auto kernel = accelerator::readKernel(*module->getOps<mlir::func::FuncOp>().begin(), n);
    EXPECT_TRUE(bool(kernel)) << kernel.error();
    return *kernel;
  }

  uint64_t busyCycles() { return runner.counter(isa::CounterModule::Gemm, isa::CounterClass::Busy); }

  std::mt19937 random{23};
  StreamRunner runner;
};

TEST_F(Excess, RandomLayersHaveTheBytesOfPlainLoops) {
  const char *given = std::getenv("DAEDALUS_EXCESS_LAYERS");
  const int layers = given ? std::atoi(given) : 120;
  int excess = 0, sums = 0, planned = 0;
  for (int number = 0; number < layers; ++number) {
    KernelModel m = randomLayer(random);
    constexpr const char *machines[] = {"tiny", "default", "vta", "large"};
    const isa::Machine machine = builtin(machines[number % 4]);
    m.decisions = pick(random, 0, 2) ? randomDecisions(m, random) : "";
    if (!m.decisions.empty() && !runner.tryToCompile({m}, machine))
      m.decisions.clear();
    ASSERT_NO_FATAL_FAILURE(check(m, machine, number % 8 ? "functional" : "systemc"));
    const accelerator::Kernel kernel = read(m, machine.n);
    excess += !kernel.excess.empty(), sums += kernel.sumsData, planned += m.decisions.empty();
  }
  std::cout << excess << " of " << layers << " layers with excess, " << sums << " with sums of data, "
            << layers - planned << " by decisions of their own\n";
  EXPECT_GT(excess, layers / 3);
  EXPECT_GT(sums, layers / 20);
  EXPECT_GT(layers - planned, layers / 5);
}

TEST_F(Excess, AWeightCostsTheProductsOfItsTile) {
  const isa::Machine machine = builtin("tiny");
  KernelModel m = layer(Kind::Conv, 6, 16, 16, 3, 1);
  randomConstants(m, random);
  leaveInt8(m, random, 10, std::numeric_limits<int64_t>::max());
  m.decisions = "dae.tile rows 6 columns 6 channels 1 window 3 x 3 lanes 2";
  ASSERT_NO_FATAL_FAILURE(check(m, machine, "systemc"));
  const uint64_t before = busyCycles();
  m.weights[100] = m.weights[101] = -128; // -138, in one tile
  ASSERT_NO_FATAL_FAILURE(check(m, machine, "systemc"));
  EXPECT_EQ(busyCycles() - before, 6 * 6 + machine.gemmLatency + 1);
}

TEST_F(Excess, DenseWeightsOfWhichManyLeaveInt8HaveSumsOfData) {
  KernelModel m = layer(Kind::Conv, 6, 16, 64, 3, 1);
  randomConstants(m, random);
  leaveInt8(m, random, -100, 2);
  EXPECT_TRUE(read(m, 8).sumsData);
  EXPECT_TRUE(read(m, 8).excess.empty());
  leaveInt8(m, random, -100, 2000);
  EXPECT_FALSE(read(m, 8).sumsData);
  EXPECT_FALSE(read(m, 8).excess.empty());
}

TEST_F(Excess, DepthwiseWeightsOfAllUint8) {
  for (const int32_t zero : {-128, 127}) { // 0 and 255 of uint8: from 0 to 255, from -255 to 0
    KernelModel m = layer(Kind::Depthwise, 7, 20, 20, 3, 1);
    randomConstants(m, random);
    m.weightZero = zero;
    m.weights[0] = 127, m.weights[1] = -128;
    for (const char *name : {"tiny", "default", "vta"})
      ASSERT_NO_FATAL_FAILURE(check(m, builtin(name), "systemc"));
  }
}

} // namespace
} // namespace daedalus::testing
