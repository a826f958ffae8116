// Random reductions, softmax, normalizations and pools on the CPU, of sizes around whole vectors, against
// their definition in double precision.

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

class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}
  int64_t of(int64_t least, int64_t most) { return least + int64_t(random() % uint64_t(most - least + 1)); }
  template <class T> const T &one(const std::vector<T> &of) { return of[random() % of.size()]; }

  Shape shape() {
    static const std::vector<int64_t> sizes = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 130};
    Shape shape = {one(sizes)};
    for (int64_t more = of(0, 3); more > 0 && count(shape) < 3000; --more)
      shape.push_back(one(sizes));
    return shape;
  }

  Numbers numbers(int64_t size) {
    Numbers values(size);
    for (float &value : values)
      value = float(of(-4000, 4000)) / 1000;
    return values;
  }

private:
  std::mt19937_64 random;
};

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

struct Pool {
  Shape x, y;
  int64_t kernel[2], strides[2], pads[4];

  explicit Pool(Draw &draw) : x{draw.of(1, 2), draw.of(1, 20), draw.of(3, 20), draw.of(3, 70)}, y(x) {
    for (int d : {0, 1}) {
      kernel[d] = draw.of(1, 3);
      strides[d] = draw.of(1, 3);
      pads[d] = draw.of(0, kernel[d] - 1);
      pads[2 + d] = draw.of(0, kernel[d] - 1);
      y[2 + d] = (x[2 + d] + pads[d] + pads[2 + d] - kernel[d]) / strides[d] + 1;
    }
  }

  std::vector<OnnxBuilder::Attribute> attributes() const {
    return {{"kernel_shape", Shape(kernel, kernel + 2)},
            {"strides", Shape(strides, strides + 2)},
            {"pads", Shape(pads, pads + 4)}};
  }

  /// What a window has of the image, for each place of the output.
  template <class T> std::vector<std::vector<double>> windows(const std::vector<T> &in) const {
    std::vector<std::vector<double>> all;
    for (int64_t image = 0; image < y[0] * y[1]; ++image)
      for (int64_t row = 0; row < y[2]; ++row)
        for (int64_t column = 0; column < y[3]; ++column)
          all.push_back(window(in, image, row * strides[0] - pads[0], column * strides[1] - pads[1]));
    return all;
  }

private:
  template <class T>
  std::vector<double> window(const std::vector<T> &in, int64_t image, int64_t top, int64_t left) const {
    std::vector<double> values;
    for (int64_t row = std::max<int64_t>(top, 0); row < std::min(top + kernel[0], x[2]); ++row)
      for (int64_t column = std::max<int64_t>(left, 0); column < std::min(left + kernel[1], x[3]); ++column)
        values.push_back(in[(image * x[2] + row) * x[3] + column]);
    return values;
  }
};

TEST_P(CpuVectors, PoolsOfImages) {
  Draw draw(GetParam());
  const Pool pool(draw);
  const Numbers x = draw.numbers(count(pool.x));
  const bool isMost = draw.of(0, 1);
  const Numbers y =
      runNode<float>(isMost ? "MaxPool" : "AveragePool", {{pool.x, x}}, pool.attributes(), pool.y, 11);
  const auto windows = pool.windows(x);
  ASSERT_EQ(y.size(), windows.size());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(y[i], isMost ? reductions[4].of(windows[i]) : reductions[1].of(windows[i]), 2e-6) << i;
}

TEST_P(CpuVectors, MaximaOfBytes) {
  Draw draw(GetParam());
  const Pool pool(draw);
  std::mt19937 random(GetParam());
  const Bytes x = randomBytes(random, count(pool.x));
  OnnxBuilder model(12);
  model.output(
      model.node("MaxPool", {model.input("x", onnx::TensorProto::INT8, pool.x)}, pool.attributes(), "pool"),
      onnx::TensorProto::INT8, pool.y);
  const std::vector<uint8_t> y = runModel(model, {x})[0];
  const auto windows = pool.windows(x);
  ASSERT_EQ(y.size(), windows.size());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(int8_t(y[i]), reductions[4].of(windows[i])) << i;
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
