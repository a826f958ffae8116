// Random convolutions and products of float32 on the CPU, with what follows them, against their definition in
// double precision.

#include "onnx_builder.h"
#include "run_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = std::vector<int64_t>;

class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}
  int64_t of(int64_t least, int64_t most) { return least + int64_t(random() % uint64_t(most - least + 1)); }
  bool coin() { return random() % 2; }
  /// Eighths, which sums hold exactly.
  std::vector<float> numbers(int64_t size) {
    std::vector<float> values(size);
    for (float &value : values)
      value = float(of(-32, 32)) / 8 + float(of(0, 1)) / 1024;
    return values;
  }

private:
  std::mt19937_64 random;
};

/// A result, and the sum of the magnitudes that it was added up of.
struct Real {
  double value = 0, magnitude = 0;

  void add(double term) {
    value += term;
    magnitude += std::abs(term);
  }
};

/// Each sum is rounded at most once for each of its terms.
void expectNear(const std::vector<uint8_t> &bytes, const std::vector<Real> &expected, int64_t terms) {
  const std::vector<float> values = numbersOf<float>(bytes);
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], expected[i].value, std::ldexp(expected[i].magnitude * double(terms + 2), -24))
        << "at " << i;
}

struct Convolution {
  Shape x, w, y; ///< [N,C,H,W], [OC,C/G,KH,KW], [N,OC,H,W]
  int64_t groups, strides[2], dilations[2], pads[4];

  /// Small ones in groups: one, two, as many as channels.
  explicit Convolution(Draw &draw) {
    const int64_t kinds = draw.of(0, 3);
    groups = kinds < 2 ? 1 : kinds == 2 ? 2 : draw.of(1, 40);
    const int64_t channels = groups * (kinds == 3 ? 1 : draw.of(1, 40)),
                  outputs = groups * (kinds == 3 ? draw.of(1, 2) : draw.of(1, 40));
    x = {draw.of(1, 2), channels, draw.of(1, 12), draw.of(1, 30)};
    w = {outputs, channels / groups, 1, 1};
    finish(draw);
  }

  /// With weights that no second cache holds, or, depthwise, with channels in several tiles.
  static Convolution large(Draw &draw) {
    Convolution c;
    const bool isDepthwise = draw.coin();
    const int64_t channels = isDepthwise ? 16 * draw.of(3, 9) : draw.of(130, 260);
    c.groups = isDepthwise ? channels : 1;
    c.x = {1, channels, draw.of(3, isDepthwise ? 30 : 7), draw.of(3, isDepthwise ? 30 : 7)};
    c.w = {isDepthwise   ? channels
           : draw.coin() ? 16 * draw.of(8, 20)
                         : draw.of(150, 300),
           channels / c.groups, 1, 1};
    c.finish(draw);
    return c;
  }

  int64_t terms() const { return w[1] * w[2] * w[3]; }

  std::vector<Real> reference(const std::vector<float> &in, const std::vector<float> &weights) const {
    std::vector<Real> result;
    for (int64_t n = 0; n < y[0]; ++n)
      for (int64_t o = 0; o < y[1]; ++o)
        for (int64_t row = 0; row < y[2]; ++row)
          for (int64_t column = 0; column < y[3]; ++column)
            result.push_back(at(in, weights, n, o, row, column));
    return result;
  }

private:
  Convolution() = default;

  /// Draws what is left.
  void finish(Draw &draw) {
    y = {x[0], w[0], 0, 0};
    for (int d : {0, 1}) {
      strides[d] = draw.of(1, 2);
      dilations[d] = draw.of(1, 2);
      pads[d] = draw.of(0, 2);
      pads[2 + d] = draw.of(0, 2);
      const int64_t size = x[2 + d] + pads[d] + pads[2 + d];
      w[2 + d] = draw.of(1, std::min<int64_t>(4, (size - 1) / dilations[d] + 1));
      y[2 + d] = (size - (w[2 + d] - 1) * dilations[d] - 1) / strides[d] + 1;
    }
  }

  Real at(const std::vector<float> &in, const std::vector<float> &weights, int64_t n, int64_t o, int64_t row,
          int64_t column) const {
    Real sum;
    const int64_t first = o / (y[1] / groups) * w[1];
    for (int64_t c = 0; c < w[1]; ++c)
      for (int64_t i = 0; i < w[2]; ++i)
        for (int64_t j = 0; j < w[3]; ++j) {
          const int64_t r = row * strides[0] + i * dilations[0] - pads[0];
          const int64_t s = column * strides[1] + j * dilations[1] - pads[1];
          if (r >= 0 && r < x[2] && s >= 0 && s < x[3])
            sum.add(double(in[((n * x[1] + first + c) * x[2] + r) * x[3] + s]) *
                    weights[((o * w[1] + c) * w[2] + i) * w[3] + j]);
        }
    return sum;
  }
};

class FloatProducts : public testing::TestWithParam<unsigned> {};

/// With a bias, a sum and a limit behind it or not.
void expectDefinition(const Convolution &c, Draw &draw) {
  OnnxBuilder model;
  const std::vector<float> x = draw.numbers(count(c.x)), w = draw.numbers(count(c.w)),
                           bias = draw.numbers(c.y[1]);
  const std::vector<float> more = draw.numbers(count(c.y));
  const bool hasBias = draw.coin(), isAdded = draw.coin(), isClipped = draw.coin();
  std::vector<std::string> operands{model.input("x", Proto::FLOAT, c.x), model.floats(c.w, w)};
  if (hasBias)
    operands.push_back(model.floats({c.y[1]}, bias));
  std::string y = model.node("Conv", operands,
                             {{"strides", Shape(c.strides, c.strides + 2)},
                              {"dilations", Shape(c.dilations, c.dilations + 2)},
                              {"pads", Shape(c.pads, c.pads + 4)},
                              {"group", c.groups}});
  std::vector<Bytes> inputs{bytesOf(x)};
  if (isAdded) {
    y = model.node("Add", {model.input("more", Proto::FLOAT, c.y), y});
    inputs.push_back(bytesOf(more));
  }
  if (isClipped)
    y = model.node("Relu", {y});
  model.output(y, Proto::FLOAT, c.y);
  std::vector<Real> expected = c.reference(x, w);
  const int64_t positions = c.y[2] * c.y[3];
  for (size_t i = 0; i < expected.size(); ++i) {
    if (hasBias)
      expected[i].add(bias[int64_t(i) / positions % c.y[1]]);
    if (isAdded)
      expected[i].add(more[i]);
    if (isClipped)
      expected[i].value = std::max(expected[i].value, 0.0);
  }
  expectNear(runModel(model, inputs)[0], expected, c.terms());
}

TEST_P(FloatProducts, ConvolutionsAreTheirDefinition) {
  Draw draw(GetParam());
  expectDefinition(Convolution(draw), draw);
}

class LargeProducts : public testing::TestWithParam<unsigned> {};

TEST_P(LargeProducts, ConvolutionsAreTheirDefinition) {
  Draw draw(GetParam());
  expectDefinition(Convolution::large(draw), draw);
}

/// Few rows and many columns, whole panels or not: tiles have some of the columns. Of float32 and bytes.
struct WideProduct {
  int64_t m, k, n;

  explicit WideProduct(Draw &draw) : m(draw.of(1, 9)), k(4 * draw.of(60, 300)) {
    const std::vector<int64_t> columns = {250, 500, 510, 750, 768, 999, 1000, 1001, 1250, 1536};
    n = columns[draw.of(0, int64_t(columns.size()) - 1)];
  }

  template <class T> std::vector<Real> of(const std::vector<T> &a, const std::vector<T> &b) const {
    std::vector<Real> expected(m * n);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t d = 0; d < k; ++d)
        for (int64_t j = 0; j < n; ++j)
          expected[i * n + j].add(double(a[i * k + d]) * b[d * n + j]);
    return expected;
  }
};

TEST_P(LargeProducts, FewRowsOfManyColumns) {
  Draw draw(GetParam());
  const WideProduct wide(draw);
  const std::vector<float> a = draw.numbers(wide.m * wide.k), b = draw.numbers(wide.k * wide.n);
  OnnxBuilder model;
  const std::string left = model.input("a", Proto::FLOAT, {wide.m, wide.k});
  model.output(model.node("MatMul", {left, model.floats({wide.k, wide.n}, b)}), Proto::FLOAT,
               {wide.m, wide.n});
  expectNear(runModel(model, {bytesOf(a)})[0], wide.of(a, b), wide.k);
}

TEST_P(LargeProducts, FewRowsOfManyColumnsOfBytes) {
  Draw draw(GetParam());
  const WideProduct wide(draw);
  std::vector<int8_t> a(wide.m * wide.k), b(wide.k * wide.n);
  for (std::vector<int8_t> *values : {&a, &b})
    for (int8_t &value : *values)
      value = static_cast<int8_t>(draw.of(-128, 127));
  OnnxBuilder model;
  const std::string left = model.input("a", Proto::INT8, {wide.m, wide.k});
  const std::string right =
      model.integers(Proto::INT8, {wide.k, wide.n}, std::vector<int64_t>(b.begin(), b.end()));
  model.output(model.node("MatMulInteger", {left, right}), Proto::INT32, {wide.m, wide.n});
  const std::vector<int32_t> sums = numbersOf<int32_t>(runModel(model, {bytesOf(a)})[0]);
  const std::vector<Real> expected = wide.of(a, b);
  for (size_t i = 0; i < sums.size(); ++i)
    ASSERT_EQ(sums[i], expected[i].value) << i;
}

INSTANTIATE_TEST_SUITE_P(Random, LargeProducts, testing::Range(0u, 16u));

/// Batches of matrices; the second one constant or computed, lying as it is read or transposed.
TEST_P(FloatProducts, MatricesAreTheirDefinition) {
  Draw draw(GetParam());
  const int64_t batch = draw.coin() ? 1 : draw.of(2, 3), m = draw.of(1, 40), k = draw.of(1, 90),
                n = draw.of(1, 90);
  const bool isConstant = draw.coin(), isTransposed = draw.coin();
  const std::vector<float> a = draw.numbers(batch * m * k), b = draw.numbers(batch * k * n);
  OnnxBuilder model;
  const Shape lies = isTransposed ? Shape{batch, n, k} : Shape{batch, k, n};
  const std::string left = model.input("a", Proto::FLOAT, {batch, m, k});
  std::string right = isConstant ? model.floats(lies, b) : model.input("b", Proto::FLOAT, lies);
  if (isTransposed)
    right = model.node("Transpose", {right}, {{"perm", Shape{0, 2, 1}}});
  model.output(model.node("MatMul", {left, right}), Proto::FLOAT, {batch, m, n});
  std::vector<Real> expected(batch * m * n);
  for (int64_t i = 0; i < batch * m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t d = 0; d < k; ++d) {
        const int64_t matrix = i / m * k * n;
        expected[i * n + j].add(double(a[i * k + d]) * b[matrix + (isTransposed ? j * k + d : d * n + j)]);
      }
  std::vector<Bytes> inputs{bytesOf(a)};
  if (!isConstant)
    inputs.push_back(bytesOf(b));
  expectNear(runModel(model, inputs)[0], expected, k);
}

INSTANTIATE_TEST_SUITE_P(Random, FloatProducts, testing::Range(0u, 60u));

} // namespace
} // namespace daedalus::test
