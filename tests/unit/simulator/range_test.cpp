// RangeCheck against visiting every iteration.
#include "common/range.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::sim {
namespace {

/// The number of iterations before the first with a row outside, by visiting them.
template <size_t Operands>
std::optional<uint64_t> visit(const std::array<uint64_t, 3> &counts,
                              const std::array<RowOperand<3>, Operands> &operands) {
  uint64_t before = 0;
  for (uint64_t i = 0; i < counts[0]; ++i)
    for (uint64_t j = 0; j < counts[1]; ++j)
      for (uint64_t k = 0; k < counts[2]; ++k, ++before)
        for (const RowOperand<3> &operand : operands) {
          const int64_t row = operand.row + int64_t(i) * operand.strides[0] +
                              int64_t(j) * operand.strides[1] + int64_t(k) * operand.strides[2];
          if (row < 0 || row + operand.width > operand.rows)
            return before;
        }
  return std::nullopt;
}

TEST(RangeCheck, FindsTheFirstIterationOutside) {
  std::mt19937 random(1);
  const auto between = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
  unsigned inside = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    std::array<uint64_t, 3> counts;
    for (uint64_t &count : counts)
      count = uint64_t(between(1, 5));
    std::array<RowOperand<3>, 2> operands;
    for (RowOperand<3> &operand : operands)
      operand = {
          between(0, 60), {between(-7, 7), between(-7, 7), between(-3, 3)}, between(1, 2), between(50, 70)};
    const auto expected = visit(counts, operands);
    inside += !expected;
    ASSERT_EQ(RangeCheck<3>(counts).firstOutside(operands), expected);
  }
  EXPECT_GT(inside, 500u);
  EXPECT_LT(inside, 4500u);
}

TEST(RangeCheck, DoesNotVisitTheIterations) {
  const std::array<uint64_t, 3> counts = {65535, 65535, 65535};
  const std::array<RowOperand<3>, 1> operand = {RowOperand<3>{0, {1, 0, 0}, 1, 65534}};
  EXPECT_EQ(RangeCheck<3>(counts).firstOutside(operand), uint64_t(65534) * 65535 * 65535);
}

} // namespace
} // namespace daedalus::sim
