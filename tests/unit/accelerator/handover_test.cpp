// Two kernels of which the first hands its result over to the second in INP: the bytes of plain loops for
// tiles of all kinds, neither a STORE nor a LOAD of the tensor between them, what the planner makes of it,
// and what plans may say of it. DAEDALUS_HANDOVERS: how many random pairs (400).

#include "stream_runner.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace daedalus::testing {
namespace {

using ::testing::Test;

int64_t pick(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

/// A product of any kind on an image of h x w x c.
KernelModel product(std::mt19937 &random, int64_t h, int64_t w, int64_t c, bool isLast) {
  KernelModel m;
  m.kind = pick(random, 0, 1) ? Kind::Conv : Kind::Depthwise;
  m.h = h, m.w = w, m.c = c;
  m.oc = m.kind == Kind::Depthwise ? c : pick(random, 1, 50);
  if (m.kind == Kind::Depthwise || pick(random, 0, 1)) {
    m.kh = pick(random, 1, std::min<int64_t>(h, 4)), m.kw = pick(random, 1, std::min<int64_t>(w, 5));
    if (isLast)
      m.sh = pick(random, 1, 3), m.sw = pick(random, 1, 3);
    m.dh = pick(random, 0, 3) || m.kh > h / 2 ? 1 : 2, m.dw = pick(random, 0, 3) || m.kw > w / 2 ? 1 : 2;
    const int64_t up = m.dh * (m.kh - 1), across = m.dw * (m.kw - 1);
    m.pt = pick(random, 0, up), m.pb = pick(random, 0, up), m.pl = pick(random, 0, across),
    m.pr = pick(random, 0, across);
  }
  m.weightZero = pick(random, 0, 5) ? 0 : static_cast<int32_t>(pick(random, -128, 127));
  m.pad = static_cast<int8_t>(pick(random, -128, 127));
  randomConstants(m, random);
  return m;
}

std::vector<KernelModel> randomPair(std::mt19937 &random) {
  std::vector<KernelModel> pair{
      product(random, pick(random, 1, 19), pick(random, 2, 19), pick(random, 1, 40), false)};
  pair[0].h = std::max(pair[0].h, pair[0].dh * (pair[0].kh - 1) + 1);
  pair[0].w = std::max(pair[0].w, pair[0].dw * (pair[0].kw - 1) + 1);
  pair.push_back(product(random, pair[0].oh(), pair[0].ow(), pair[0].oc, true));
  pair[1].sh = std::min(pair[1].sh, pair[1].kh), pair[1].sw = std::min(pair[1].sw, pair[1].kw);
  return pair;
}

std::string tile(int64_t rows, int64_t columns, int64_t channels, int64_t kh, int64_t kw, int64_t lanes) {
  return "dae.tile rows " + std::to_string(rows) + " columns " + std::to_string(columns) + " channels " +
         std::to_string(channels) + " window " + std::to_string(kh) + " x " + std::to_string(kw) + " lanes " +
         std::to_string(lanes);
}

class Handover : public Test {
protected:
  /// Whether the first kernel neither stores nor the second one loads more than padding, weights and
  /// parameters.
  bool isHandedOver() const {
    for (size_t i = 0; i < runner.stream.instructions.size(); ++i)
      if (runner.stream.layerOfInstruction[i] == 0 &&
          std::holds_alternative<isa::Store>(runner.stream.instructions[i]))
        return false;
    return true;
  }

  std::vector<int8_t> expected(const std::vector<KernelModel> &chain, const std::vector<int8_t> &input) {
    return referenceResult(chain[1], referenceResult(chain[0], input, {}), {});
  }

  /// With tiles of the second kernel, the first one's decisions are those that the refusal of others names.
  bool decide(std::vector<KernelModel> &pair, const isa::Machine &machine) {
    pair[0].decisions = tile(1, 1, 1, 1, 1, 1) + " dae.hand_over";
    const std::string refusal = runner.refusal(pair, machine, /*lag=*/0);
    const size_t at = refusal.find("; expected dae.tile");
    if (!refusal.empty() && at == std::string::npos)
      return false;
    if (!refusal.empty())
      pair[0].decisions = refusal.substr(at + 11);
    return runner.refusal(pair, machine, /*lag=*/0).empty();
  }

  void check(const std::vector<KernelModel> &chain, const char *engine) {
    SCOPED_TRACE(runner.machine.name + "\n" + chain[0].decisions + "\n" + chain[1].decisions + "\n" +
                 kernelText(chain[0], "k0").substr(0, 600) + kernelText(chain[1], "k1").substr(0, 600));
    EXPECT_TRUE(isHandedOver());
    const std::vector<int8_t> input = randomBytes(chain[0].inputBytes(), random);
    ASSERT_EQ(runner.run(engine, {input}), expected(chain, input));
  }

  std::mt19937 random{31};
  StreamRunner runner;
};

TEST_F(Handover, RandomPairsHaveTheBytesOfPlainLoops) {
  const char *given = std::getenv("DAEDALUS_HANDOVERS");
  const int pairs = given ? std::atoi(given) : 400;
  constexpr const char *machines[] = {"tiny", "default", "vta", "large"};
  int handed = 0, slid = 0;
  for (int round = 0; round < pairs; ++round) {
    std::vector<KernelModel> pair = randomPair(random);
    const isa::Machine machine = builtin(machines[round % 4]);
    KernelModel &last = pair[1];
    const bool own = last.kind == Kind::Depthwise;
    last.decisions = tile(pick(random, 1, 6), pick(random, 1, 9), own ? pick(random, 1, 3) : 64, last.kh,
                          last.kw, own ? 1 : pick(random, 1, 3));
    if (own && last.kh * last.kw > 1 && pick(random, 0, 1))
      last.decisions += " dae.slide rows " + std::to_string(pick(random, 1, std::min<int64_t>(last.kh, 4)));
    else if (own && pick(random, 0, 1))
      last.decisions += " dae.split vector " + std::to_string(pick(random, 1, 16));
    if (!decide(pair, machine))
      continue;
    ++handed, slid += pair[1].decisions.find("slide") != std::string::npos;
    ASSERT_NO_FATAL_FAILURE(check(pair, round % 3 ? "functional" : "systemc"));
  }
  std::cout << handed << " of " << pairs << " pairs, " << slid << " of these into a window that slides\n";
  EXPECT_GT(handed, pairs / 4);
  EXPECT_GT(slid, 5);
}

/// An expansion of channels, and the depthwise convolution behind it.
std::vector<KernelModel> expansion(std::mt19937 &random) {
  std::vector<KernelModel> pair{layer(Kind::Conv, 28, 16, 96, 1, 1),
                                layer(Kind::Depthwise, 28, 96, 96, 3, 2)};
  for (KernelModel &m : pair)
    randomConstants(m, random);
  return pair;
}

TEST_F(Handover, ThePlannerHandsOverWhereTheBusIsTheBound) {
  const std::vector<KernelModel> pair = expansion(random);
  ASSERT_TRUE(runner.compile(pair, builtin("vta")));
  ASSERT_NO_FATAL_FAILURE(check(pair, "systemc"));
  const double cycles = double(runner.cycles());
  EXPECT_NEAR(double(runner.stream.expectedCycles) / cycles, 1, 0.03);
  EXPECT_GE(runner.stream.bounds.at(0).cycles + runner.stream.bounds.at(1).cycles, cycles / 2);
  EXPECT_LE(std::max(runner.stream.bounds.at(0).cycles, runner.stream.bounds.at(1).cycles), cycles);
  EXPECT_EQ(runner.stream.bounds.at(0).work.write, 0u);
  EXPECT_EQ(runner.stream.unstored.size(), 1u);
}

TEST_F(Handover, AResultThatOthersReadIsStored) {
  std::vector<KernelModel> chain{layer(Kind::Conv, 14, 16, 32, 1, 1),
                                 layer(Kind::Depthwise, 14, 32, 32, 3, 1),
                                 layer(Kind::Add, 14, 32, 32, 1, 1)};
  for (KernelModel &m : chain)
    randomConstants(m, random);
  chain[0].decisions = tile(1, 14, 1, 1, 1, 1) + " dae.hand_over",
  chain[1].decisions = tile(3, 12, 1, 3, 3, 1);
  EXPECT_THAT(runner.refusal(chain, builtin("default"), 0),
              ::testing::HasSubstr(
                  "hands over the result of kernel 'k0' to 'k1'; expected two products with weights, "
                  "the second of which alone reads"));
}

TEST_F(Handover, RefusesWhatAPlanCannotHave) {
  struct Case {
    std::string first, second;
    std::optional<int64_t> lag;
    const char *expected;
  };
  const std::string taker = tile(7, 7, 1, 3, 3, 1) + " dae.slide rows 3", giver = tile(15, 15, 1, 1, 1, 1);
  const std::string hand = " dae.hand_over";
  for (const Case &c :
       {Case{giver + hand, "", std::nullopt,
             "which is kernel 1 of 1 in its group; expected the first of two"},
        Case{giver, taker + hand, 0, "which is kernel 2 of 2 in its group; expected the first of two"},
        Case{tile(15, 14, 1, 1, 1, 1) + hand, taker, 0,
             "hands over the tiles of kernel 'k0', which are not what 'k1' reads; expected dae.tile rows 15 "
             "columns 15 channels 1 window 1 x 1 lanes 1 dae.hand_over"},
        Case{giver + hand, tile(7, 7, 1, 1, 3, 1), 0,
             "cannot hand over kernel 'k0' so: the next kernel's tiles fold or divide its window, or "
             "begin with a ramp"},
        Case{giver + hand, taker + " dae.split vector 4", 0,
             "the next kernel's tiles have windows that slide, and others for VECTOR"},
        Case{giver + hand, tile(14, 14, 6, 3, 3, 1), 0, "rows of INP"}}) {
    std::vector<KernelModel> pair = expansion(random);
    pair[0].decisions = c.first, pair[1].decisions = c.second;
    EXPECT_THAT(runner.refusal(pair, builtin("vta"), c.lag), ::testing::HasSubstr(c.expected));
  }
}

} // namespace
} // namespace daedalus::testing
