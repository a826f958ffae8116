// Whether the iterations of a loop nest stay inside their scratchpads, and which is the first that does not,
// without visiting them all: an operand's row is a sum of one term a loop, so its least and largest value
// over any box of iterations are sums of least and largest terms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace daedalus::sim {

/// An operand that touches `width` rows from row + sum of index times stride on, in a scope of `rows` rows.
template <size_t Rank> struct RowOperand {
  int64_t row = 0;
  std::array<int64_t, Rank> strides{};
  int64_t width = 1;
  int64_t rows = 0;
};

template <size_t Rank> class RangeCheck {
public:
  explicit RangeCheck(const std::array<uint64_t, Rank> &counts) : counts(counts) {}

  /// Whether all rows of an operand are in its scope when the loops before `loop` stand still at `row`.
  bool isInside(const RowOperand<Rank> &operand, int64_t row, size_t loop = 0) const {
    int64_t least = row, most = row;
    for (; loop < Rank; ++loop) {
      const int64_t last = operand.strides[loop] * int64_t(counts[loop] - 1);
      (last < 0 ? least : most) += last;
    }
    return least >= 0 && most + operand.width <= operand.rows;
  }

  /// The number of iterations before the first that touches a row outside; none when all stay inside.
  template <size_t Operands>
  std::optional<uint64_t> firstOutside(std::array<RowOperand<Rank>, Operands> operands) const {
    const auto allInside = [&](size_t loop) {
      for (const RowOperand<Rank> &operand : operands)
        if (!isInside(operand, operand.row, loop))
          return false;
      return true;
    };
    if (allInside(0))
      return std::nullopt;
    uint64_t before = 0;
    for (size_t loop = 0; loop < Rank; ++loop) { // the first value of this loop whose inner box has a bad row
      uint64_t inner = 1;
      for (size_t deeper = loop + 1; deeper < Rank; ++deeper)
        inner *= counts[deeper];
      while (allInside(loop + 1)) {
        before += inner;
        for (RowOperand<Rank> &operand : operands)
          operand.row += operand.strides[loop];
      }
    }
    return before;
  }

private:
  const std::array<uint64_t, Rank> &counts;
};

} // namespace daedalus::sim
