// Multipliers, proofs and the recipe of an addition, against the numbers that they stand for.

#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"

#include "daedalus/isa/semantics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus {
namespace {

double valueOf(const Multiplier &m) {
  return std::ldexp(m.multiplier, -m.shift);
}

TEST(Multiplier, HoldsFloatScalesExactly) {
  std::mt19937 random(1);
  for (int i = 0; i < 10000; ++i) {
    float scale = std::ldexp(1.0f + static_cast<float>(random() % (1 << 23)) / (1 << 23),
                             static_cast<int>(random() % 60) - 31);
    std::optional<Multiplier> m = toMultiplier(scale);
    ASSERT_TRUE(m) << scale;
    EXPECT_EQ(valueOf(*m), scale);
    EXPECT_GE(m->shift, 1);
    EXPECT_LE(m->shift, 62);
    EXPECT_GE(m->multiplier, 1 << 30);
  }
}

TEST(Multiplier, ShrinksWhereTheShiftWouldPass62) {
  std::optional<Multiplier> m = toMultiplier(std::ldexp(1.0, -40));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->shift, 62);
  EXPECT_EQ(m->multiplier, 1 << 22);
}

TEST(Multiplier, RoundsUpToTheNextPowerOfTwo) {
  std::optional<Multiplier> m = toMultiplier(std::nextafter(1.0, 0.0));
  ASSERT_TRUE(m);
  EXPECT_EQ(valueOf(*m), 1.0);
  EXPECT_EQ(m->multiplier, 1 << 30);
}

TEST(Multiplier, RefusesRatiosOf2To30) {
  EXPECT_TRUE(toMultiplier(std::ldexp(1.0, 29)));
  EXPECT_FALSE(toMultiplier(std::ldexp(1.0, 30)));
}

TEST(ProductRequant, FoldsTheZeroPointIntoTheBias) {
  const auto requant = productRequant({1, 2, -3, 4}, {10, 20}, {0.5, 0.25}, 3);
  ASSERT_TRUE(bool(requant)) << requant.error();
  EXPECT_EQ(requant->bias[0], 10 - 3 * 3);
  EXPECT_EQ(requant->bias[1], 20 - 3 * 1);
}

TEST(ProductRequant, RefusesWhatMayOverflow) {
  EXPECT_TRUE(bool(productRequant({127}, {INT32_MAX - 127 * 127}, {0.5}, 0)));
  const auto above = productRequant({127}, {INT32_MAX - 127 * 127 + 1}, {0.5}, 0);
  ASSERT_FALSE(bool(above));
  EXPECT_NE(above.error().find("output channel 0 may reach 2147483648"), std::string::npos) << above.error();
  EXPECT_FALSE(bool(productRequant({127}, {INT32_MIN + 127 * 128 - 1}, {0.5}, 0)));
}

TEST(AddRecipe, IsWithinOneStepOfTheRealSum) {
  std::mt19937 random(2);
  auto uniform = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  for (int i = 0; i < 300; ++i) {
    double sa = std::exp(uniform(-6, 3)), sb = std::exp(uniform(-6, 3)), so = std::exp(uniform(-6, 3));
    int za = static_cast<int>(random() % 256) - 128, zb = static_cast<int>(random() % 256) - 128;
    auto recipe = addRecipe(sa, za, sb, zb, so);
    ASSERT_TRUE(recipe);
    ASSERT_LT(int64_t(recipe->ma) + recipe->mb, 1 << 24);
    for (int a = -128; a < 128; a += 17)
      for (int b = -128; b < 128; b += 15) {
        int64_t sum = int64_t(recipe->ma) * a + int64_t(recipe->mb) * b;
        ASSERT_EQ(sum, static_cast<int32_t>(sum));
        ASSERT_EQ(sum + recipe->bias, static_cast<int32_t>(sum + recipe->bias));
        int q = isa::requantize(static_cast<int32_t>(sum), recipe->bias, recipe->multiplier.multiplier,
                                recipe->multiplier.shift, 5, -128, 127, isa::Rounding::HalfEven);
        double real = std::nearbyint((sa * (a - za) + sb * (b - zb)) / so) + 5;
        EXPECT_LE(std::abs(q - std::min(127.0, std::max(-128.0, real))), 1.0);
      }
  }
}

TEST(ResidualRecipe, IsWithinOneStepOfTheRealSum) {
  std::mt19937 random(3);
  auto uniform = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  for (int i = 0; i < 300; ++i) {
    const std::vector<int16_t> weights{int16_t(random() % 256 - 128), int16_t(random() % 256 - 128), 0, 1};
    const std::vector<int32_t> bias{int32_t(random() % 100000) - 50000, 0};
    const double sr = std::exp(uniform(-6, 3)), so = sr * std::exp(uniform(-1, 4));
    const std::vector<double> units{sr * std::exp(uniform(-10, 0)), sr * std::exp(uniform(-10, 0))};
    const int zx = static_cast<int>(random() % 256) - 128, zr = static_cast<int>(random() % 256) - 128;
    const auto recipe = residualRecipe(weights, bias, units, zx, sr, zr, so);
    ASSERT_TRUE(bool(recipe)) << recipe.error();
    for (int x = -128; x < 128; x += 51)
      for (int y = -128; y < 128; y += 51)
        for (int r = -128; r < 128; r += 15)
          for (unsigned c : {0u, 1u}) {
            const int64_t sum = int64_t(weights[2 * c]) * x + int64_t(weights[2 * c + 1]) * y;
            const int64_t total = sum * (1 << recipe->shift) + int64_t(recipe->factors[c]) * r;
            const int64_t biased = total + recipe->requant.bias[c];
            ASSERT_LT(recipe->factors[c], 1 << 21);
            ASSERT_EQ(int32_t(uint32_t(total) + uint32_t(recipe->requant.bias[c])), biased);
            const int q =
                isa::requantize(int32_t(total), recipe->requant.bias[c], recipe->requant.multipliers[c],
                                recipe->requant.shifts[c], 5, -128, 127, isa::Rounding::HalfEven);
            const double products =
                double(weights[2 * c]) * (x - zx) + double(weights[2 * c + 1]) * (y - zx) + bias[c];
            const double real = std::nearbyint((units[c] * products + sr * (r - zr)) / so) + 5;
            EXPECT_LE(std::abs(q - std::min(127.0, std::max(-128.0, real))), 1.0);
          }
  }
}

TEST(ResidualRecipe, HasTheLargestShiftThatFits) {
  EXPECT_EQ(residualRecipe({1}, {0}, {1}, 0, 1, 0, 1)->shift, 15);
  EXPECT_EQ(residualRecipe({1}, {0}, {1}, 0, 64.5, 0, 1)->shift, 14); // 64.5 2^15 is above 2^21
  EXPECT_EQ(residualRecipe({127}, {1 << 27}, {1}, 0, 1, 0, 1)->shift, 3);
  EXPECT_EQ(residualRecipe({127}, {1 << 27}, {1}, 0, 1, 0, 1)->factors, (llvm::SmallVector<int32_t>{8}));
  EXPECT_FALSE(bool(residualRecipe({1}, {INT32_MAX - 200}, {1}, 0, 2, 0, 1)));
  EXPECT_FALSE(bool(residualRecipe({1}, {0}, {1}, 0, 2097152, 0, 1)));
}

} // namespace
} // namespace daedalus
