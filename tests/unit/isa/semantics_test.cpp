// The reference arithmetic: ties, extremes and wrapping, against values worked out by hand and against
// 128-bit arithmetic.
#include "daedalus/isa/semantics.h"

#include <gtest/gtest.h>

#include <limits>

namespace daedalus::isa {
namespace {

constexpr int32_t Min = std::numeric_limits<int32_t>::min(), Max = std::numeric_limits<int32_t>::max();

int8_t half(int32_t acc, Rounding rounding) {
  return requantize(acc, 0, 1, 1, 0, -128, 127, rounding);
}

TEST(Semantics, TiesToEven) {
  const int expected[] = {-2, -2, -1, 0, 0, 0, 1, 2, 2, 2}; // -4/2 -3/2 -2/2 -1/2 0 1/2 ...
  for (int acc = -4; acc <= 5; ++acc)
    EXPECT_EQ(half(acc, Rounding::HalfEven), expected[acc + 4]) << acc;
}

TEST(Semantics, TiesUp) {
  const int expected[] = {-2, -1, -1, 0, 0, 1, 1, 2, 2, 3};
  for (int acc = -4; acc <= 5; ++acc)
    EXPECT_EQ(half(acc, Rounding::HalfUp), expected[acc + 4]) << acc;
}

/// The rounding itself in 128 bits: floor, then a look at the rest.
int8_t byDefinition(int32_t acc, int32_t bias, int32_t multiplier, int shift, int zeroPoint,
                    Rounding rounding) {
  const __int128 product = static_cast<__int128>(wrapAdd(acc, bias)) * multiplier;
  const __int128 one = static_cast<__int128>(1) << shift;
  __int128 quotient = product >> shift;
  const __int128 rest = product - quotient * one;
  if (2 * rest > one || (2 * rest == one && (rounding == Rounding::HalfUp || quotient % 2 != 0)))
    ++quotient;
  quotient += zeroPoint;
  return static_cast<int8_t>(quotient < -128 ? -128 : quotient > 127 ? 127 : quotient);
}

TEST(Semantics, RequantizeIsExactEverywhere) {
  const int32_t accs[] = {Min, Min + 1, -12345, -3, -1, 0, 1, 2, 12345, Max};
  const int32_t multipliers[] = {0, 1, 3, 1 << 30, (1 << 30) + 1, Max};
  for (Rounding rounding : {Rounding::HalfEven, Rounding::HalfUp})
    for (int32_t acc : accs)
      for (int32_t multiplier : multipliers)
        for (int shift = 1; shift <= 62; ++shift)
          ASSERT_EQ(requantize(acc, 0, multiplier, shift, 5, -128, 127, rounding),
                    byDefinition(acc, 0, multiplier, shift, 5, rounding))
              << acc << " " << multiplier << " " << shift;
}

/// What upstream's rescale gets wrong: it cuts to 32 bits before the clamp and gives -128.
TEST(Semantics, LargeProductsSaturate) {
  EXPECT_EQ(requantize(1 << 30, 0, Max, 30, 0, -128, 127, Rounding::HalfEven), 127);
  EXPECT_EQ(requantize(-(1 << 30), 0, Max, 30, 0, -128, 127, Rounding::HalfEven), -128);
}

TEST(Semantics, ZeroPointComesAfterRoundingAndBeforeTheClamp) {
  EXPECT_EQ(requantize(3, 0, 1, 1, 10, -128, 127, Rounding::HalfEven), 12);
  EXPECT_EQ(requantize(3, 0, 1, 1, 10, -128, 11, Rounding::HalfEven), 11);
  EXPECT_EQ(requantize(-300, 0, 1, 1, 10, 10, 127, Rounding::HalfEven), 10);
}

TEST(Semantics, BiasWraps) {
  EXPECT_EQ(requantize(Max, 1, 1, 31, 0, -128, 127, Rounding::HalfEven), -1);
}

TEST(Semantics, UnusedBitsOfParam) {
  EXPECT_EQ(requantize(8, 0, Min | 3, 3, 0, -128, 127, Rounding::HalfEven), 3);
  EXPECT_EQ(requantize(8, 0, 1, 64 + 3, 0, -128, 127, Rounding::HalfEven), 1);
  EXPECT_EQ(requantize(8, 0, 1, 0, 0, -128, 127, Rounding::HalfEven), 4);
  EXPECT_EQ(requantize(Max, 0, Max, 63, 0, -128, 127, Rounding::HalfEven), 1);
}

TEST(Semantics, Combine) {
  EXPECT_EQ(combine(VectorOp::Add, Max, 1), Min);
  EXPECT_EQ(combine(VectorOp::Sub, Min, 1), Max);
  EXPECT_EQ(combine(VectorOp::Mul, Min, -1), Min);
  EXPECT_EQ(combine(VectorOp::Mac, 1 << 16, 1 << 16), 0);
  EXPECT_EQ(combine(VectorOp::Max, -1, 1), 1);
  EXPECT_EQ(combine(VectorOp::Min, -1, 1), -1);
  EXPECT_EQ(combine(VectorOp::Shl, -1, 33), -2);
  EXPECT_EQ(combine(VectorOp::Shl, 1, 31), Min);
  EXPECT_EQ(combine(VectorOp::Shr, -5, 1), -3);
  EXPECT_EQ(combine(VectorOp::Shr, -5, -1), -1);
  EXPECT_EQ(combine(VectorOp::Mov, 7, 9), 7);
}

TEST(Semantics, ClampsAndTables) {
  EXPECT_EQ(clampTo(300, -128, 127), 127);
  EXPECT_EQ(clampTo(0, 5, 3), 3);
  EXPECT_EQ(lutIndex(-1000), 0u);
  EXPECT_EQ(lutIndex(0), 128u);
  EXPECT_EQ(lutIndex(1000), 255u);
  EXPECT_EQ(flipSign(0), 0x80);
}

} // namespace
} // namespace daedalus::isa
