// Convolutions of padded images: one launch, which reads the image itself, and nothing of what lies around
// it.
#include "cuda_kernel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace daedalus::test {
namespace {

using Shape = std::array<int64_t, 4>;

int64_t elementsOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

struct Case {
  std::string type; ///< i8 or f32
  bool isChannelsLast;
  int64_t images, height, width, channels, results, window, stride, dilation;
  std::array<int64_t, 4> pads; ///< above, left, below, right
  int value;                   ///< around the image

  bool areBytes() const { return type == "i8"; }
  std::string sumType() const { return areBytes() ? "i32" : type; }
  int64_t extentOfResult(int64_t padded) const { return (padded - dilation * (window - 1) - 1) / stride + 1; }
  int64_t rows() const { return extentOfResult(height + pads[0] + pads[2]); }
  int64_t columns() const { return extentOfResult(width + pads[1] + pads[3]); }
  Shape laidOut(int64_t n, int64_t h, int64_t w, int64_t c) const {
    return isChannelsLast ? Shape{n, h, w, c} : Shape{n, c, h, w};
  }
  Shape image() const { return laidOut(images, height, width, channels); }
  Shape padded() const {
    return laidOut(images, height + pads[0] + pads[2], width + pads[1] + pads[3], channels);
  }
  Shape weights() const { return laidOut(results, window, window, channels); }
  Shape result() const { return laidOut(images, rows(), columns(), results); }
};

std::string listOf(const Shape &shape, const char *between) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : between) + std::to_string(extent);
  return text;
}

std::string tensorOf(const Shape &shape, const std::string &type) {
  return "tensor<" + listOf(shape, "x") + "x" + type + ">";
}

std::string programOf(const Case &c) {
  const std::string image = tensorOf(c.image(), c.type), padded = tensorOf(c.padded(), c.type),
                    weights = tensorOf(c.weights(), c.type), sums = tensorOf(c.result(), c.sumType());
  const std::string point = c.areBytes() ? "" : ".0";
  const auto both = [](int64_t value) { return " = dense<" + std::to_string(value) + "> : tensor<2xi64>"; };
  return "func.func @main(%x: " + image + ", %w: " + weights + ") -> " + sums +
         " {\n  %value = arith.constant " + std::to_string(c.value) + point + " : " + c.type +
         "\n  %zero = arith.constant 0" + point + " : " + c.sumType() + "\n  %padded = tensor.pad %x low[" +
         listOf(c.laidOut(0, c.pads[0], c.pads[1], 0), ", ") + "] high[" +
         listOf(c.laidOut(0, c.pads[2], c.pads[3], 0), ", ") +
         "] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n    tensor.yield %value : " + c.type +
         "\n  } : " + image + " to " + padded + "\n  %empty = tensor.empty() : " + sums +
         "\n  %zeros = linalg.fill ins(%zero : " + c.sumType() + ") outs(%empty : " + sums + ") -> " + sums +
         "\n  %y = linalg.conv_2d_" + (c.isChannelsLast ? "nhwc_fhwc" : "nchw_fchw") + " {dilations" +
         both(c.dilation) + ", strides" + both(c.stride) + "} ins(%padded, %w : " + padded + ", " + weights +
         ") outs(%zeros : " + sums + ") -> " + sums + "\n  return %y : " + sums + "\n}\n";
}

struct Expected {
  std::vector<int> sums;
  int64_t elementsOfImage = 0; ///< that are read for all windows
};

/// Loops that ask for each element whether it is one of the image.
Expected compute(const Case &c, const std::vector<int> &image, const std::vector<int> &weights) {
  Expected expected{std::vector<int>(elementsOf(c.result()), 0), 0};
  const auto at = [&](const Shape &shape, int64_t n, int64_t h, int64_t w, int64_t channel) {
    const Shape index = c.laidOut(n, h, w, channel);
    return ((index[0] * shape[1] + index[1]) * shape[2] + index[2]) * shape[3] + index[3];
  };
  const auto addElement = [&](int64_t n, int64_t h, int64_t w, int64_t i, int64_t j, int64_t channel) {
    const int64_t row = h * c.stride + i * c.dilation - c.pads[0],
                  column = w * c.stride + j * c.dilation - c.pads[1];
    const bool isInside = row >= 0 && row < c.height && column >= 0 && column < c.width;
    const int element = isInside ? image[at(c.image(), n, row, column, channel)] : c.value;
    expected.elementsOfImage += isInside;
    for (int64_t f = 0; f < c.results; ++f)
      expected.sums[at(c.result(), n, h, w, f)] += element * weights[at(c.weights(), f, i, j, channel)];
  };
  for (int64_t n = 0; n < c.images; ++n)
    for (int64_t h = 0; h < c.rows(); ++h)
      for (int64_t w = 0; w < c.columns(); ++w)
        for (int64_t i = 0; i < c.window; ++i)
          for (int64_t j = 0; j < c.window; ++j)
            for (int64_t channel = 0; channel < c.channels; ++channel)
              addElement(n, h, w, i, j, channel);
  return expected;
}

std::vector<int> randomNumbers(int64_t count, int most, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> distribution(-most, most);
  std::vector<int> values(count);
  for (int &value : values)
    value = distribution(random);
  return values;
}

template <class T> std::vector<uint8_t> stored(const std::vector<int> &values) {
  return bytesOfNumbers(std::vector<T>(values.begin(), values.end()));
}

class CudaPadding : public ::testing::TestWithParam<Case> {};

TEST_P(CudaPadding, IsReadFromNowhere) {
  const Case &c = GetParam();
  const int most = c.areBytes() ? 127 : 5;
  const std::vector<int> image = randomNumbers(elementsOf(c.image()), most, 1),
                         weights = randomNumbers(elementsOf(c.weights()), most, 2);
  const Expected expected = compute(c, image, weights);
  Result<EmulatedKernel> kernel = EmulatedKernel::ofText(programOf(c));
  ASSERT_TRUE(kernel) << kernel.error();
  const auto bytes = [&](const std::vector<int> &values) {
    return c.areBytes() ? stored<int8_t>(values) : stored<float>(values);
  };
  const Result<EmulatedRun> run = kernel->run({bytes(image), bytes(weights)});
  ASSERT_TRUE(run) << run.error();
  EXPECT_EQ(run->outputs[0], c.areBytes() ? stored<int32_t>(expected.sums) : stored<float>(expected.sums));
  ASSERT_EQ(run->launches.size(), 1U);
  // Tiles have all results of a pixel, so that each pixel's window is read once, and the weights by each
  // block.
  const int64_t size = c.areBytes() ? 1 : 4, blocks = run->launches[0].launch.grid[0];
  const cuda::EmulationCounts counts = run->total();
  EXPECT_EQ(int64_t(counts.globalBytesLoaded),
            size * (expected.elementsOfImage + blocks * elementsOf(c.weights())));
  EXPECT_EQ(counts.bankConflicts, 0U);
}

/// An image that the same kernel computes is stored for the product, which alone reads it.
TEST(CudaPaddingOfImages, AreAroundWhatIsComputed) {
  const Case c{"f32", true, 1, 9, 8, 8, 32, 3, 1, 2, {2, 2, 2, 2}, 0};
  const std::vector<int> half = randomNumbers(elementsOf(c.image()), 5, 1),
                         weights = randomNumbers(elementsOf(c.weights()), 5, 2);
  std::vector<int> image;
  for (int value : half)
    image.push_back(2 * value);
  const std::string type = tensorOf(c.image(), c.type), empty = "\n  %e = tensor.empty() : " + type;
  std::string program = programOf(c);
  program.replace(program.find("%x"), 2, "%half");
  program.insert(program.find("\n  %value"), empty + "\n  %x = linalg.add ins(%half, %half : " + type + ", " +
                                                 type + ") outs(%e : " + type + ") -> " + type);
  Result<EmulatedKernel> kernel = EmulatedKernel::ofText(program);
  ASSERT_TRUE(kernel) << kernel.error();
  const Result<EmulatedRun> run = kernel->run({stored<float>(half), stored<float>(weights)});
  ASSERT_TRUE(run) << run.error();
  EXPECT_EQ(run->outputs[0], stored<float>(compute(c, image, weights).sums));
  EXPECT_EQ(run->launches.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Convolutions, CudaPadding,
                         ::testing::Values(Case{"i8", true, 1, 9, 11, 32, 32, 3, 1, 1, {1, 1, 1, 1}, 0},
                                           Case{"i8", true, 1, 9, 11, 32, 32, 3, 1, 1, {1, 1, 1, 1}, -128},
                                           Case{"i8", true, 2, 10, 7, 16, 24, 3, 2, 1, {0, 1, 1, 0}, -128},
                                           Case{"i8", true, 1, 12, 9, 16, 32, 3, 1, 2, {2, 2, 2, 2}, 5},
                                           Case{"i8", true, 2, 8, 8, 48, 16, 1, 2, 1, {1, 1, 1, 1}, -7},
                                           Case{"i8", true, 1, 15, 13, 3, 16, 7, 2, 1, {3, 3, 3, 3}, -128},
                                           Case{"i8", false, 1, 11, 13, 5, 32, 3, 1, 1, {1, 1, 1, 1}, -128},
                                           Case{"f32", false, 1, 11, 13, 5, 19, 3, 1, 1, {1, 1, 1, 1}, 0},
                                           Case{"f32", false, 2, 11, 13, 4, 32, 3, 2, 1, {1, 0, 0, 1}, -3},
                                           Case{"f32", true, 1, 9, 8, 8, 32, 3, 1, 2, {2, 2, 2, 2}, 0},
                                           Case{"f32", true, 2, 9, 8, 4, 16, 3, 2, 1, {1, 1, 1, 1}, 2}));

} // namespace
} // namespace daedalus::test
