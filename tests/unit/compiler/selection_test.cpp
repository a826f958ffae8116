// Operators that select, order and write elements by index, against plain loops over random tensors; indices
// are constant, or come at run time.

#include "one_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::test {
namespace {

using Shape = OnnxBuilder::Shape;
using Floats = std::vector<float>;
using Numbers = std::vector<int64_t>;

class Selection : public testing::Test {
protected:
  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }
  Shape shape(int64_t least = 1) {
    Shape result(number(least, 4));
    for (int64_t &size : result)
      size = number(1, 5);
    return result;
  }
  /// Few different numbers, so that some are equal.
  Floats floats(int64_t size) {
    Floats result(size);
    for (float &value : result)
      value = float(number(-5, 5));
    return result;
  }
  Numbers indices(int64_t count, int64_t size) {
    Numbers result(count);
    for (int64_t &value : result)
      value = number(-size, size - 1);
    return result;
  }

  std::mt19937 random{7};
};

/// The sizes before, along and behind an axis.
struct Around {
  Around(const Shape &shape, int64_t axis)
      : outer(std::accumulate(shape.begin(), shape.begin() + axis, int64_t(1), std::multiplies<>())),
        size(shape[axis]),
        inner(std::accumulate(shape.begin() + axis + 1, shape.end(), int64_t(1), std::multiplies<>())) {}
  int64_t at(int64_t o, int64_t i, int64_t n) const { return (o * size + i) * inner + n; }
  /// f(o, n) for each row along the axis.
  template <class F> void forEach(F f) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t n = 0; n < inner; ++n)
        f(o, n);
  }
  const int64_t outer, size, inner;
};

TEST_F(Selection, CumSum) {
  for (int round = 0; round < 20; ++round) {
    const Shape sizes = shape();
    const int64_t axis = number(0, sizes.size() - 1);
    const bool isReverse = number(0, 1), isExclusive = number(0, 1);
    const Floats x = floats(count(sizes));
    const Around row(sizes, axis);
    Floats y(x.size());
    row.forEach([&](int64_t o, int64_t n) {
      float sum = 0;
      for (int64_t step = 0; step < row.size; ++step) {
        const int64_t at = row.at(o, isReverse ? row.size - 1 - step : step, n);
        y[at] = isExclusive ? sum : sum + x[at];
        sum += x[at];
      }
    });
    EXPECT_EQ(runNode<float>(
                  "CumSum",
                  {{sizes, x}, {{}, Numbers{axis - (round % 2 ? int64_t(sizes.size()) : 0)}, round % 3 > 0}},
                  {{"reverse", isReverse}, {"exclusive", isExclusive}}, sizes),
              y);
  }
}

TEST_F(Selection, TopK) {
  for (int round = 0; round < 20; ++round) {
    const Shape sizes = shape();
    const int64_t axis = number(0, sizes.size() - 1), taken = number(1, sizes[axis]);
    const bool isLargest = number(0, 1);
    const Floats x = floats(count(sizes));
    Shape result = sizes;
    result[axis] = taken;
    const Around from(sizes, axis), to(result, axis);
    Floats y(count(result));
    from.forEach([&](int64_t o, int64_t n) {
      Numbers order(from.size);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        const float left = x[from.at(o, a, n)], right = x[from.at(o, b, n)];
        return isLargest ? left > right : left < right;
      });
      for (int64_t i = 0; i < taken; ++i)
        y[to.at(o, i, n)] = x[from.at(o, order[i], n)];
    });
    EXPECT_EQ(runNode<float>("TopK", {{sizes, x}, {{1}, Numbers{taken}, true}},
                             {{"axis", axis}, {"largest", isLargest}}, result, 18, 2),
              y);
  }
}

TEST_F(Selection, Trilu) {
  for (int round = 0; round < 12; ++round) {
    const Shape sizes = shape(2);
    const int64_t diagonal = number(-6, 6), rows = sizes[sizes.size() - 2], columns = sizes.back();
    const bool isUpper = round % 2;
    const Floats x = floats(count(sizes));
    Floats y = x;
    for (size_t i = 0; i < y.size(); ++i) {
      const int64_t distance = int64_t(i) % columns - int64_t(i) / columns % rows;
      y[i] = (isUpper ? distance >= diagonal : distance <= diagonal) ? x[i] : 0;
    }
    EXPECT_EQ(runNode<float>("Trilu", {{sizes, x}, {{}, Numbers{diagonal}, round % 3 > 0}},
                             {{"upper", isUpper}}, sizes),
              y);
  }
}

TEST_F(Selection, ScatterElements) {
  for (int round = 0; round < 20; ++round) {
    const Shape sizes = shape();
    const int64_t axis = number(0, sizes.size() - 1);
    Shape part = sizes;
    for (int64_t &size : part)
      size = number(1, size);
    const Floats x = floats(count(sizes)), updates = floats(count(part));
    const bool isSum = round % 2;
    const Numbers at = indices(updates.size(), sizes[axis]);
    Floats y = x;
    for (size_t i = 0; i < updates.size(); ++i) {
      int64_t rest = i, to = 0, stride = 1;
      for (size_t d = sizes.size(); d-- > 0;) {
        const int64_t own = rest % part[d];
        to += stride * (int64_t(d) == axis ? (at[i] + sizes[d]) % sizes[d] : own);
        rest /= part[d], stride *= sizes[d];
      }
      y[to] = isSum ? y[to] + updates[i] : updates[i];
    }
    EXPECT_EQ(runNode<float>("ScatterElements", {{sizes, x}, {part, at, round % 3 > 0}, {part, updates}},
                             {{"axis", axis}, {"reduction", isSum ? "add" : "none"}}, sizes),
              y);
  }
}

/// Both by tuples of indices of the first `depth` dimensions.
TEST_F(Selection, GatherNDAndScatterND) {
  for (int round = 0; round < 20; ++round) {
    const Shape sizes = shape();
    const int64_t depth = number(1, sizes.size()), tuples = number(1, 4);
    const Shape outer(sizes.begin(), sizes.begin() + depth);
    Shape slice(sizes.begin() + depth, sizes.end());
    const int64_t width = count(slice);
    Numbers at, places;
    for (int64_t i = 0; i < tuples; ++i) {
      int64_t place = 0;
      for (int64_t size : outer) {
        at.push_back(number(-size, size - 1));
        place = place * size + (at.back() + size) % size;
      }
      places.push_back(place);
    }
    slice.insert(slice.begin(), tuples);
    const Floats x = floats(count(sizes)), updates = floats(tuples * width);
    Floats gathered, scattered = x;
    for (int64_t i = 0; i < tuples; ++i)
      for (int64_t j = 0; j < width; ++j) {
        gathered.push_back(x[places[i] * width + j]);
        scattered[places[i] * width + j] = updates[i * width + j];
      }
    const NodeInput data(sizes, x), by({tuples, depth}, at, round % 2);
    EXPECT_EQ(runNode<float>("GatherND", {data, by}, {}, slice), gathered);
    EXPECT_EQ(runNode<float>("ScatterND", {data, by, {slice, updates}}, {}, sizes), scattered);
  }
}

TEST_F(Selection, ModOfIntegers) {
  for (bool isC : {false, true}) {
    std::vector<int32_t> x, y, rest;
    for (int round = 0; round < 50; ++round) {
      const int64_t dividend = number(-20, 20), divisor = number(1, 6) * (number(0, 1) ? 1 : -1);
      int64_t left = dividend % divisor;
      left += !isC && left != 0 && (left < 0) != (divisor < 0) ? divisor : 0;
      x.push_back(dividend), y.push_back(divisor), rest.push_back(left);
    }
    EXPECT_EQ(runNode<int32_t>("Mod", {{{50}, x}, {{50}, y}}, {{"fmod", isC}}, {50}), rest);
  }
}

TEST_F(Selection, ModOfFloats) {
  Floats x, y, rest;
  for (int round = 0; round < 50; ++round) {
    x.push_back(float(number(-100000, 100000)) / 64);
    y.push_back(float(number(1, 1000)) / (number(0, 1) ? 64 : -64));
    rest.push_back(std::fmod(x.back(), y.back()));
  }
  EXPECT_EQ(runNode<float>("Mod", {{{50}, x}, {{50}, y}}, {{"fmod", 1}}, {50}), rest);
}

} // namespace
} // namespace daedalus::test
