// Random pools on the CPU, in one tile and in several, against their definition.

#include "numbers_to_try.h"
#include "one_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace daedalus::test {
namespace {

using Shape = OnnxBuilder::Shape;

struct Pool {
  Shape x, y;
  int64_t kernel[2], strides[2], dilations[2], pads[4];

  /// Of small images or of such as are computed in several tiles.
  Pool(Draw &draw, bool isDilated) : x{draw.of(1, 2), draw.of(1, 20), draw.of(9, 20), draw.of(9, 70)}, y(x) {
    if (draw.of(0, 1))
      x = {draw.of(1, 2), draw.of(1, 5), draw.of(20, 150), draw.of(20, 150)}, y = x;
    for (int d : {0, 1}) {
      kernel[d] = draw.of(1, 5);
      strides[d] = draw.of(1, 3);
      dilations[d] = isDilated ? draw.of(1, 2) : 1;
      pads[d] = draw.of(0, kernel[d] - 1);
      pads[2 + d] = draw.of(0, kernel[d] - 1);
      const int64_t window = (kernel[d] - 1) * dilations[d] + 1;
      y[2 + d] = (x[2 + d] + pads[d] + pads[2 + d] - window) / strides[d] + 1;
    }
  }

  std::vector<OnnxBuilder::Attribute> attributes() const {
    std::vector<OnnxBuilder::Attribute> all = {{"kernel_shape", Shape(kernel, kernel + 2)},
                                               {"strides", Shape(strides, strides + 2)},
                                               {"pads", Shape(pads, pads + 4)}};
    if (dilations[0] * dilations[1] > 1)
      all.push_back({"dilations", Shape(dilations, dilations + 2)});
    return all;
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
    for (int64_t i = 0; i < kernel[0]; ++i)
      for (int64_t j = 0; j < kernel[1]; ++j) {
        const int64_t row = top + i * dilations[0], column = left + j * dilations[1];
        if (row >= 0 && row < x[2] && column >= 0 && column < x[3])
          values.push_back(in[(image * x[2] + row) * x[3] + column]);
      }
    return values;
  }
};

double most(const std::vector<double> &window) {
  return *std::max_element(window.begin(), window.end());
}

double mean(const std::vector<double> &window) {
  return std::accumulate(window.begin(), window.end(), 0.0) / double(window.size());
}

class CpuPools : public testing::TestWithParam<unsigned> {};

TEST_P(CpuPools, MeansOfImages) {
  Draw draw(GetParam());
  const Pool pool(draw, false);
  const std::vector<float> x = draw.numbers(count(pool.x));
  const auto y = runNode<float>("AveragePool", {{pool.x, x}}, pool.attributes(), pool.y, 11);
  const auto windows = pool.windows(x);
  ASSERT_EQ(y.size(), windows.size());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(y[i], mean(windows[i]), 4e-6) << i;
}

TEST_P(CpuPools, MaximaOfImages) {
  Draw draw(GetParam());
  const Pool pool(draw, true);
  const std::vector<float> x = draw.numbers(count(pool.x));
  const auto y = runNode<float>("MaxPool", {{pool.x, x}}, pool.attributes(), pool.y, 11);
  const auto windows = pool.windows(x);
  ASSERT_EQ(y.size(), windows.size());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(y[i], float(most(windows[i]))) << i;
}

/// As the model says it, and between quantizations, for which channels are last.
TEST_P(CpuPools, MaximaOfBytes) {
  Draw draw(GetParam());
  const Pool pool(draw, true);
  std::mt19937 random(GetParam());
  const Bytes x = randomBytes(random, count(pool.x));
  const auto windows = pool.windows(x);
  for (const bool isQuantized : {false, true}) {
    OnnxBuilder model(12);
    std::string y = model.input("x", onnx::TensorProto::INT8, pool.x);
    const std::vector<std::string> scale = {model.floats({}, {0.5f}),
                                            model.integers(onnx::TensorProto::INT8, {}, {3})};
    if (isQuantized)
      y = model.node("DequantizeLinear", {y, scale[0], scale[1]}, {}, "in");
    y = model.node("MaxPool", {y}, pool.attributes(), "pool");
    if (isQuantized)
      y = model.node("QuantizeLinear", {y, scale[0], scale[1]}, {}, "out");
    model.output(y, onnx::TensorProto::INT8, pool.y);
    const std::vector<uint8_t> bytes = runModel(model, {x})[0];
    ASSERT_EQ(bytes.size(), windows.size());
    for (size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(int8_t(bytes[i]), most(windows[i])) << i << " " << isQuantized;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CpuPools, testing::Range(0u, 16u));

} // namespace
} // namespace daedalus::test
