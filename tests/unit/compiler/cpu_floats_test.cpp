// Operations on floats that are put together of several instructions, on the CPU: the exponential to its
// stated error, and the larger and the smaller of numbers and NaNs.

#include "one_node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace daedalus::test {
namespace {

using Numbers = std::vector<float>;

constexpr float infinite = std::numeric_limits<float>::infinity();
const float notANumber = std::numeric_limits<float>::quiet_NaN();

Numbers exponentials(const Numbers &x) {
  const OnnxBuilder::Shape shape = {int64_t(x.size())};
  return runNode<float>("Exp", {{shape, x}}, {}, shape, 13);
}

double unitInTheLastPlace(double value) {
  return std::ldexp(1, std::max(std::ilogb(value), -126) - 23);
}

void expectExponential(float x, float y) {
  const double expected = std::exp(double(x));
  if (std::isnan(x))
    EXPECT_TRUE(std::isnan(y)) << x;
  else if (expected < std::ldexp(1, -126))
    EXPECT_TRUE(y == 0 || (y >= 0x1p-126f && y < 0x1.00001p-126f)) << x << ": " << y;
  else if (expected > std::numeric_limits<float>::max())
    EXPECT_EQ(y, infinite) << x;
  else
    EXPECT_LE(std::abs(y - expected), 2 * unitInTheLastPlace(expected)) << x << ": " << y;
}

/// Floats of all signs and exponents.
TEST(CpuFloats, ExponentialsAreNearlyExact) {
  Numbers x;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 8009) {
    const auto word = uint32_t(bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    x.push_back(value);
  }
  const Numbers y = exponentials(x);
  for (size_t i = 0; i < x.size(); ++i)
    expectExponential(x[i], y[i]);
}

/// Where results are numbers other than 1. With FMA 0.9 units in the last place; two roundings
/// instead of one are 0.2 more.
TEST(CpuFloats, ExponentialsAreAsExactAsIsSaid) {
  Numbers x;
  for (double value = -87.336; value < 88.7228; value += 0.000731)
    x.push_back(float(value));
  const Numbers y = exponentials(x);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = std::exp(double(x[i]));
    worst = std::max(worst, std::abs(y[i] - expected) / unitInTheLastPlace(expected));
  }
  EXPECT_LE(worst, 1.5);
  EXPECT_GT(worst, 0.5);
}

TEST(CpuFloats, ExponentialsOfLimits) {
  const Numbers x = {0, -0.f, infinite, -infinite, notANumber, 88.72284f, 89, 1e30f, -87.4f, -104, -1e30f};
  const Numbers y = exponentials(x);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  for (size_t i = 0; i < x.size(); ++i)
    expectExponential(x[i], y[i]);
}

/// NaN where either is one, wherever it stands among whole vectors and what is left of them.
TEST(CpuFloats, ExtremesOfNaNs) {
  const OnnxBuilder::Shape shape = {2, 77};
  Numbers a, b;
  for (int i = 0; i < 154; ++i) {
    a.push_back(i % 5 == 0 ? notANumber : i % 7 == 0 ? infinite : float(i % 11) - 5);
    b.push_back(i % 3 == 0 ? notANumber : i % 13 == 0 ? -infinite : float(i % 9) - 4);
  }
  for (const bool isMax : {false, true}) {
    const Numbers y = runNode<float>(isMax ? "Max" : "Min", {{shape, a}, {shape, b}}, {}, shape, 13);
    for (size_t i = 0; i < y.size(); ++i) {
      if (std::isnan(a[i]) || std::isnan(b[i]))
        EXPECT_TRUE(std::isnan(y[i])) << i;
      else
        EXPECT_EQ(y[i], isMax ? std::max(a[i], b[i]) : std::min(a[i], b[i])) << i;
    }
  }
}

TEST(CpuFloats, ReductionsToExtremesKeepNaNs) {
  for (int64_t axis : {0, 1}) {
    const OnnxBuilder::Shape shape = {37, 85}, reduced = {axis == 0 ? 1 : shape[0], axis == 1 ? 1 : shape[1]};
    Numbers x(37 * 85);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 101) - 50;
    for (int row = 0; row < 37; row += 3)
      x[row * 85 + (row * 7) % 85] = notANumber;
    for (const bool isMax : {false, true}) {
      const std::vector<int64_t> axes = {axis};
      const Numbers y = runNode<float>(isMax ? "ReduceMax" : "ReduceMin", {{shape, x}},
                                       {{"axes", axes}, {"keepdims", 1}}, reduced, 13);
      for (int64_t i = 0; i < int64_t(y.size()); ++i) {
        float expected = isMax ? -infinite : infinite;
        for (int64_t j = 0; j < (axis == 0 ? 37 : 85); ++j) {
          const float value = axis == 0 ? x[j * 85 + i] : x[i * 85 + j];
          if (std::isnan(value) || std::isnan(expected))
            expected = notANumber;
          else
            expected = isMax ? std::max(expected, value) : std::min(expected, value);
        }
        EXPECT_TRUE(y[i] == expected || (std::isnan(y[i]) && std::isnan(expected))) << axis << " " << i;
      }
    }
  }
}

} // namespace
} // namespace daedalus::test
