// Transposed convolutions, sums of products by an equation, recurrent layers and attention, against plain
// loops over random tensors.

#include "one_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::test {
namespace {

using Shape = OnnxBuilder::Shape;
using Floats = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

class Layers : public testing::Test {
protected:
  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }
  Floats floats(int64_t size) {
    Floats result(size);
    for (float &value : result)
      value = float(number(-8, 8)) / 8;
    return result;
  }

  std::mt19937 random{11};
};

TEST_F(Layers, ConvTranspose) {
  constexpr int64_t of[][3] = {{3, 4, 1}, {4, 6, 2}, {4, 4, 4}}; // channels in, out, groups
  for (int round = 0; round < 24; ++round) {
    const auto [channels, outputs, groups] = of[round % 3];
    const int64_t h = number(1, 5), w = number(1, 5), kernel = number(1, 3), stride = number(1, 3),
                  dilation = number(1, 2), before = number(0, 1), behind = number(0, 1),
                  extra = number(0, stride - 1);
    const int64_t extent = (kernel - 1) * dilation + 1;
    const auto sizeOf = [&](int64_t size) { return stride * (size - 1) + extent + extra - before - behind; };
    const int64_t oh = sizeOf(h), ow = sizeOf(w), each = outputs / groups;
    if (oh < 1 || ow < 1)
      continue;
    const Floats x = floats(channels * h * w), weights = floats(channels * each * kernel * kernel),
                 bias = floats(outputs);
    Floats y(outputs * oh * ow);
    for (size_t i = 0; i < y.size(); ++i)
      y[i] = bias[i / (oh * ow)];
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t m = 0; m < each; ++m)
        for (int64_t i = 0; i < h * w; ++i)
          for (int64_t a = 0; a < kernel * kernel; ++a) {
            const int64_t row = i / w * stride + a / kernel * dilation - before,
                          column = i % w * stride + a % kernel * dilation - before;
            const int64_t channel = c / (channels / groups) * each + m;
            if (row >= 0 && row < oh && column >= 0 && column < ow)
              y[(channel * oh + row) * ow + column] +=
                  x[c * h * w + i] * weights[(c * each + m) * kernel * kernel + a];
          }
    const std::vector<OnnxBuilder::Attribute> attributes = {{"group", groups},
                                                            {"strides", Shape{stride, stride}},
                                                            {"dilations", Shape{dilation, dilation}},
                                                            {"output_padding", Shape{extra, extra}},
                                                            {"pads", Shape{before, before, behind, behind}}};
    EXPECT_THAT(runNode<float>("ConvTranspose",
                               {{{1, channels, h, w}, x},
                                {{channels, each, kernel, kernel}, weights, round % 2 > 0},
                                {{outputs}, bias}},
                               attributes, {1, outputs, oh, ow}),
                Pointwise(FloatNear(1e-5f), y));
  }
}

TEST_F(Layers, EinsumOfBatchesOfProducts) {
  const Floats x = floats(2 * 3 * 4), y = floats(2 * 5 * 4);
  Floats z(2 * 5 * 3, 0);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 4; ++k)
          z[(b * 5 + j) * 3 + i] += x[(b * 3 + i) * 4 + k] * y[(b * 5 + j) * 4 + k];
  EXPECT_THAT(runNode<float>("Einsum", {{{2, 3, 4}, x}, {{2, 5, 4}, y}}, {{"equation", "bik, bjk -> bji"}},
                             {2, 5, 3}),
              Pointwise(FloatNear(1e-5f), z));
  EXPECT_THAT(runNode<float>("Einsum", {{{2, 3, 4}, x}, {{2, 5, 4}, y}}, {{"equation", "...ik,...jk->...ji"}},
                             {2, 5, 3}),
              Pointwise(FloatNear(1e-5f), z));
}

TEST_F(Layers, EinsumOfADiagonal) {
  const Floats x = floats(9);
  EXPECT_EQ(runNode<float>("Einsum", {{{3, 3}, x}}, {{"equation", "ii->i"}}, {3}),
            (Floats{x[0], x[4], x[8]}));
}

float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

/// One direction of a layer with its weights, of `gates` gates.
struct Weights {
  Weights(int64_t gates, int64_t inputs, int64_t hidden, Floats w, Floats r, Floats b)
      : gates(gates), inputs(inputs), hidden(hidden), w(std::move(w)), r(std::move(r)), b(std::move(b)) {}
  float ofInput(int64_t row, const float *x) const {
    float sum = b[row];
    for (int64_t i = 0; i < inputs; ++i)
      sum += w[row * inputs + i] * x[i];
    return sum;
  }
  float ofState(int64_t row, const Floats &h) const {
    float sum = b[gates * hidden + row];
    for (int64_t i = 0; i < hidden; ++i)
      sum += r[row * hidden + i] * h[i];
    return sum;
  }
  const int64_t gates, inputs, hidden;
  const Floats w, r, b;
};

TEST_F(Layers, LstmInBothDirections) {
  const int64_t length = 4, batch = 2, inputs = 3, hidden = 5;
  const Floats x = floats(length * batch * inputs), w = floats(2 * 4 * hidden * inputs),
               r = floats(2 * 4 * hidden * hidden), b = floats(2 * 8 * hidden),
               h0 = floats(2 * batch * hidden), c0 = floats(2 * batch * hidden);
  const std::vector<int32_t> lengths = {4, 2};
  Floats y(length * 2 * batch * hidden, 0);
  for (int64_t d = 0; d < 2; ++d) {
    const auto part = [&](const Floats &all) {
      const size_t size = all.size() / 2;
      return Floats(all.begin() + d * size, all.begin() + (d + 1) * size);
    };
    const Weights of(4, inputs, hidden, part(w), part(r), part(b));
    for (int64_t n = 0; n < batch; ++n) {
      const auto state = [&](const Floats &all) {
        return Floats(all.begin() + (d * batch + n) * hidden, all.begin() + (d * batch + n + 1) * hidden);
      };
      Floats h = state(h0), c = state(c0);
      for (int64_t step = 0; step < lengths[n]; ++step) {
        const int64_t t = d ? lengths[n] - 1 - step : step;
        const Floats before = h;
        for (int64_t j = 0; j < hidden; ++j) {
          const auto gate = [&](int64_t g) {
            return of.ofInput(g * hidden + j, &x[(t * batch + n) * inputs]) +
                   of.ofState(g * hidden + j, before);
          };
          c[j] = sigmoid(gate(2)) * c[j] + sigmoid(gate(0)) * std::tanh(gate(3));
          h[j] = sigmoid(gate(1)) * std::tanh(c[j]);
          y[((t * 2 + d) * batch + n) * hidden + j] = h[j];
        }
      }
    }
  }
  for (bool isConstant : {false, true})
    EXPECT_THAT(runNode<float>("LSTM",
                               {{{length, batch, inputs}, x},
                                {{2, 4 * hidden, inputs}, w, isConstant},
                                {{2, 4 * hidden, hidden}, r, isConstant},
                                {{2, 8 * hidden}, b, isConstant},
                                {{batch}, lengths},
                                {{2, batch, hidden}, h0},
                                {{2, batch, hidden}, c0}},
                               {{"direction", "bidirectional"}, {"hidden_size", hidden}},
                               {length, 2, batch, hidden}, 14),
                Pointwise(FloatNear(2e-5f), y));
}

TEST_F(Layers, GruBeforeAndAfterTheReset) {
  const int64_t length = 3, inputs = 2, hidden = 4;
  const Floats x = floats(length * inputs), w = floats(3 * hidden * inputs), r = floats(3 * hidden * hidden),
               b = floats(6 * hidden);
  const Weights of(3, inputs, hidden, w, r, b);
  for (bool isLinear : {false, true}) {
    Floats h(hidden, 0), y;
    for (int64_t t = 0; t < length; ++t) {
      Floats z(hidden), reset(hidden), left(hidden), next(hidden);
      for (int64_t j = 0; j < hidden; ++j) {
        z[j] = sigmoid(of.ofInput(j, &x[t * inputs]) + of.ofState(j, h));
        reset[j] = sigmoid(of.ofInput(hidden + j, &x[t * inputs]) + of.ofState(hidden + j, h));
        left[j] = reset[j] * h[j];
      }
      for (int64_t j = 0; j < hidden; ++j) {
        const int64_t row = 2 * hidden + j;
        const float own = of.ofInput(row, &x[t * inputs]);
        const float fresh =
            std::tanh(isLinear ? own + reset[j] * of.ofState(row, h) : own + of.ofState(row, left));
        next[j] = (1 - z[j]) * fresh + z[j] * h[j];
      }
      h = next;
      y.insert(y.end(), h.begin(), h.end());
    }
    EXPECT_THAT(runNode<float>("GRU",
                               {{{length, 1, inputs}, x},
                                {{1, 3 * hidden, inputs}, w, true},
                                {{1, 3 * hidden, hidden}, r, true},
                                {{1, 6 * hidden}, b, true}},
                               {{"linear_before_reset", isLinear}, {"hidden_size", hidden}},
                               {length, 1, 1, hidden}, 14),
                Pointwise(FloatNear(2e-5f), y));
  }
}

/// Two heads of queries share one of keys, and see what is not behind them.
TEST_F(Layers, CausalAttentionOfSharedKeys) {
  const int64_t heads = 2, length = 5, size = 4;
  const Floats q = floats(heads * length * size), k = floats(length * size), v = floats(length * size);
  Floats y(q.size(), 0);
  for (int64_t row = 0; row < heads * length; ++row) {
    Floats share(row % length + 1);
    float sum = 0;
    for (size_t j = 0; j < share.size(); ++j) {
      float score = 0;
      for (int64_t e = 0; e < size; ++e)
        score += q[row * size + e] * k[j * size + e] / 2; // sqrt(4)
      sum += share[j] = std::exp(score);
    }
    for (size_t j = 0; j < share.size(); ++j)
      for (int64_t e = 0; e < size; ++e)
        y[row * size + e] += share[j] / sum * v[j * size + e];
  }
  EXPECT_THAT(
      runNode<float>("Attention",
                     {{{1, heads, length, size}, q}, {{1, 1, length, size}, k}, {{1, 1, length, size}, v}},
                     {{"is_causal", 1}}, {1, heads, length, size}, 23),
      Pointwise(FloatNear(1e-5f), y));
}

} // namespace
} // namespace daedalus::test
