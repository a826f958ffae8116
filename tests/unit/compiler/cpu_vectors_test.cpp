// Random reductions, softmax and normalizations on the CPU, of sizes around whole vectors, against
// their definition in double precision.

#include "numbers_to_try.h"
#include "one_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace daedalus::test {
namespace {

using Shape = OnnxBuilder::Shape;
using Numbers = std::vector<float>;

/// What lies along `axes` of a tensor, for each of the other places in order.
std::vector<std::vector<double>> rows(const Numbers &x, const Shape &shape,
                                      const std::vector<int64_t> &axes) {
  std::vector<std::vector<double>> all;
  std::vector<int64_t> at(shape.size(), 0);
  const auto isAxis = [&](size_t d) { return std::find(axes.begin(), axes.end(), int64_t(d)) != axes.end(); };
  for (float value : x) {
    int64_t row = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      row = isAxis(d) ? row : row * shape[d] + at[d];
    all.resize(std::max<size_t>(all.size(), row + 1));
    all[row].push_back(value);
    for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];)
      at[d] = 0;
  }
  return all;
}

struct Reduction {
  std::string name;
  std::function<double(const std::vector<double> &)> of;
};

double sum(const std::vector<double> &x, double power = 1) {
  double all = 0;
  for (double value : x)
    all += power == 1 ? value : std::pow(std::abs(value), power);
  return all;
}

const std::vector<Reduction> reductions = {
    {"ReduceSum", [](const auto &x) { return sum(x); }},
    {"ReduceMean", [](const auto &x) { return sum(x) / double(x.size()); }},
    {"ReduceSumSquare", [](const auto &x) { return sum(x, 2); }},
    {"ReduceL2", [](const auto &x) { return std::sqrt(sum(x, 2)); }},
    {"ReduceMax", [](const auto &x) { return *std::max_element(x.begin(), x.end()); }},
    {"ReduceMin", [](const auto &x) { return *std::min_element(x.begin(), x.end()); }}};

class CpuVectors : public testing::TestWithParam<unsigned> {};

/// Each sum is rounded at most once for each of its terms.
TEST_P(CpuVectors, ReduceAlongAnyAxes) {
  Draw draw(GetParam());
  const Shape shape = draw.shape();
  std::vector<int64_t> axes;
  for (size_t d = 0; d < shape.size(); ++d)
    if (draw.of(0, 1) || (d + 1 == shape.size() && axes.empty()))
      axes.push_back(int64_t(d));
  Shape reduced = shape;
  for (int64_t axis : axes)
    reduced[axis] = 1;
  const Numbers x = draw.numbers(count(shape));
  const Reduction &kind = draw.one(reductions);
  const Numbers y = runNode<float>(kind.name, {{shape, x}}, {{"axes", axes}, {"keepdims", 1}}, reduced, 11);
  const auto expected = rows(x, shape, axes);
  ASSERT_EQ(y.size(), expected.size());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(y[i], kind.of(expected[i]),
                std::ldexp((sum(expected[i], 2) + 8) * double(expected[i].size() + 4), -24))
        << kind.name << " " << i;
}

/// To a millionth of each output: the difference in front of the exponential is rounded to float32.
TEST_P(CpuVectors, SoftmaxAlongAnyAxis) {
  Draw draw(GetParam());
  const Shape shape = draw.shape();
  const int64_t axis = draw.of(0, int64_t(shape.size()) - 1);
  const Numbers x = draw.numbers(count(shape));
  const Numbers y = runNode<float>("Softmax", {{shape, x}}, {{"axis", axis}}, shape, 13);
  const auto in = rows(x, shape, {axis}), out = rows(y, shape, {axis});
  for (size_t row = 0; row < in.size(); ++row) {
    const double most = *std::max_element(in[row].begin(), in[row].end());
    double all = 0;
    for (double value : in[row])
      all += std::exp(value - most);
    for (size_t i = 0; i < in[row].size(); ++i)
      ASSERT_NEAR(out[row][i], std::exp(in[row][i] - most) / all, 1e-6 * out[row][i] + 1e-30)
          << row << " " << i;
  }
}

TEST_P(CpuVectors, LayersAreNormalized) {
  Draw draw(GetParam());
  const Shape shape = draw.shape();
  const int64_t size = shape.back();
  const Numbers x = draw.numbers(count(shape)), scale = draw.numbers(size), bias = draw.numbers(size);
  const Numbers y =
      runNode<float>("LayerNormalization", {{shape, x}, {{size}, scale, true}, {{size}, bias, true}},
                     {{"axis", -1}, {"epsilon", 0.01f}}, shape, 17);
  const auto in = rows(x, shape, {int64_t(shape.size()) - 1});
  for (size_t i = 0; i < y.size(); ++i) {
    const std::vector<double> &row = in[i / size];
    const double mean = sum(row) / double(size);
    double variance = 0;
    for (double value : row)
      variance += (value - mean) * (value - mean) / double(size);
    const double expected = (x[i] - mean) / std::sqrt(variance + 0.01) * scale[i % size] + bias[i % size];
    ASSERT_NEAR(y[i], expected, 2e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CpuVectors, testing::Range(0u, 20u));

/// Of 36 MiB, in whole lines of the caches and not.
TEST(CpuVectors, LargeResultsAreComplete) {
  for (const int64_t columns : {1024, 1001}) {
    const Shape shape = {36 * 256, columns};
    Numbers x(count(shape));
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(int(i % 2003) - 1001);
    const Numbers y = runNode<float>("Abs", {{shape, x}}, {}, shape);
    ASSERT_EQ(y.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y[i], std::abs(x[i])) << i;
  }
}

/// A number that is none stays it, wherever it lies in a row.
TEST(CpuVectors, NoNumberIsTheMost) {
  for (int64_t at : {0, 5, 63, 64, 99}) {
    Numbers x(100, 1);
    x[at] = std::numeric_limits<float>::quiet_NaN();
    const Numbers y = runNode<float>("ReduceMax", {{{1, 100}, x}}, {{"axes", Shape{1}}}, {1, 1}, 11);
    EXPECT_TRUE(std::isnan(y[0])) << at;
  }
}

} // namespace
} // namespace daedalus::test
