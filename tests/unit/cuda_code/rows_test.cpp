// Kernels that memory bounds: that they give the right values, and load and store no more than they need.
#include "cuda_kernel.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus::test {
namespace {

std::vector<float> randomFloats(int64_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> distribution(-2, 2);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(random);
  return values;
}

/// The model's outputs and counts; a failure of the test where it cannot be compiled or run.
EmulatedRun runOnGpu(const OnnxBuilder &model, const std::vector<std::vector<uint8_t>> &inputs) {
  Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes());
  if (!kernel) {
    ADD_FAILURE() << kernel.error();
    return {{{}}, {}};
  }
  Result<EmulatedRun> run = kernel->run(inputs);
  EXPECT_TRUE(run) << run.error();
  return run ? std::move(*run) : EmulatedRun{{{}}, {}};
}

constexpr int32_t f32 = onnx::TensorProto::FLOAT;

/// Softmax along the last axis, of rows of the middle size when there are three.
std::vector<float> softmaxOf(const std::vector<float> &x, int64_t outer, int64_t columns, int64_t inner) {
  std::vector<float> y(x.size());
  for (int64_t row = 0; row < outer * inner; ++row) {
    const auto at = [&](int64_t c) { return (row / inner * columns + c) * inner + row % inner; };
    float most = -INFINITY;
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c)
      most = std::max(most, x[at(c)]);
    for (int64_t c = 0; c < columns; ++c)
      sum += std::exp(double(x[at(c)]) - most);
    for (int64_t c = 0; c < columns; ++c)
      y[at(c)] = static_cast<float>(std::exp(double(x[at(c)]) - most) / sum);
  }
  return y;
}

void expectNear(const std::vector<uint8_t> &bytes, const std::vector<float> &expected, float tolerance) {
  const std::vector<float> found = numbersOfBytes<float>(bytes);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
}

/// What is loaded and stored is what there is, once; in whole sectors, but for a part of `slack`.
void expectLeastTraffic(const EmulatedRun &run, uint64_t loaded, uint64_t stored, double slack = 0) {
  EXPECT_EQ(run.launches.size(), 1u);
  EXPECT_EQ(run.total().globalBytesLoaded, loaded);
  EXPECT_EQ(run.total().globalBytesStored, stored);
  EXPECT_LE(run.total().globalSectors, (1 + slack) * (loaded + stored) / 32);
  EXPECT_EQ(run.total().bankConflicts, 0u);
}

struct Shape {
  int64_t outer, columns, inner;
};

class CudaSoftmax : public testing::TestWithParam<Shape> {};

TEST_P(CudaSoftmax, ReadsOnce) {
  const auto [outer, columns, inner] = GetParam();
  OnnxBuilder model;
  const std::vector<int64_t> shape = {outer, columns, inner};
  model.output(model.node("Softmax", {model.input("x", f32, shape)}, {{"axis", 1}}), f32, shape);
  const std::vector<float> x = randomFloats(outer * columns * inner);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
  expectNear(run.outputs[0], softmaxOf(x, outer, columns, inner), 1e-6f);
  const bool isAligned = (inner > 1 ? inner : columns) % 8 == 0;
  expectLeastTraffic(run, 4 * x.size(), 4 * x.size(), isAligned ? 0 : 0.5);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CudaSoftmax,
                         testing::Values(Shape{64, 16, 1}, Shape{50, 128, 1}, Shape{7, 1000, 1},
                                         Shape{6, 1024, 1}, Shape{5, 4096, 1}, Shape{3, 4001, 1},
                                         Shape{2, 16384, 1}, Shape{2, 16, 256}, Shape{2, 100, 64}));

TEST(CudaRows, LongSoftmax) {
  constexpr int64_t columns = 100000;
  OnnxBuilder model;
  model.output(model.node("Softmax", {model.input("x", f32, {2, columns})}), f32, {2, columns});
  const std::vector<float> x = randomFloats(2 * columns);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
  expectNear(run.outputs[0], softmaxOf(x, 2, columns, 1), 1e-6f);
  EXPECT_EQ(run.launches.size(), 1u);
}

TEST(CudaRows, LayerNormalization) {
  constexpr int64_t rows = 33, columns = 768;
  OnnxBuilder model(17);
  const std::string x = model.input("x", f32, {rows, columns}), scale = model.input("scale", f32, {columns}),
                    bias = model.input("bias", f32, {columns});
  model.output(model.node("LayerNormalization", {x, scale, bias}, {{"axis", -1}}), f32, {rows, columns});
  const std::vector<float> xs = randomFloats(rows * columns), scales = randomFloats(columns, 2),
                           biases = randomFloats(columns, 3);
  const EmulatedRun run =
      runOnGpu(model, {bytesOfNumbers(xs), bytesOfNumbers(scales), bytesOfNumbers(biases)});
  std::vector<float> expected(xs.size());
  for (int64_t row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    for (int64_t c = 0; c < columns; ++c)
      mean += xs[row * columns + c] / double(columns);
    for (int64_t c = 0; c < columns; ++c)
      variance += std::pow(xs[row * columns + c] - mean, 2) / columns;
    for (int64_t c = 0; c < columns; ++c)
      expected[row * columns + c] = static_cast<float>(
          (xs[row * columns + c] - mean) / std::sqrt(variance + 1e-5) * scales[c] + biases[c]);
  }
  expectNear(run.outputs[0], expected, 1e-5f);
  expectLeastTraffic(run, 3 * 4 * xs.size(), 4 * xs.size()); // scale and bias come from a cache
}

class CudaSum : public testing::TestWithParam<Shape> {};

TEST_P(CudaSum, ReadsOnce) {
  const auto [outer, columns, inner] = GetParam();
  OnnxBuilder model;
  model.output(model.node("ReduceMean", {model.input("x", f32, {outer, columns, inner})},
                          {{"axes", std::vector<int64_t>{1}}, {"keepdims", 0}}),
               f32, {outer, inner});
  const std::vector<float> x = randomFloats(outer * columns * inner);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
  std::vector<float> expected(outer * inner);
  for (size_t i = 0; i < x.size(); ++i)
    expected[i / (columns * inner) * inner + i % inner] += x[i] / float(columns);
  expectNear(run.outputs[0], expected, 1e-5f);
  EXPECT_LE(run.total().globalBytesLoaded, 1.01 * 4 * x.size()); // once, and sums of parts
  if (outer * inner == 1) {
    EXPECT_GE(run.launches[0].launch.grid[0], 100u);
  }
  EXPECT_LE(run.total().globalSectors, 1.02 * 4 * x.size() / 32 + outer * inner);
  EXPECT_EQ(run.total().bankConflicts, 0u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CudaSum,
                         testing::Values(Shape{1, 300000, 1}, Shape{100, 512, 1}, Shape{64, 8, 1},
                                         Shape{3, 5000, 1}, Shape{2, 64, 512}, Shape{1, 3000, 64}));

TEST(CudaElements, Relu) {
  for (const int64_t columns : {1024, 1021}) {
    OnnxBuilder model;
    model.output(model.node("Relu", {model.input("x", f32, {63, columns})}), f32, {63, columns});
    const std::vector<float> x = randomFloats(63 * columns);
    const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
    std::vector<float> expected(x);
    for (float &value : expected)
      value = std::max(value, 0.0f);
    expectNear(run.outputs[0], expected, 0);
    expectLeastTraffic(run, 4 * x.size(), 4 * x.size(), columns % 8 ? 0.01 : 0);
  }
}

/// A bias of channels is loaded once for each vector of neighbours, and most come from a cache.
TEST(CudaElements, BiasOfChannels) {
  OnnxBuilder model;
  model.output(model.node("Add", {model.input("x", f32, {2, 8, 16, 16}), model.input("b", f32, {8, 1, 1})}),
               f32, {2, 8, 16, 16});
  const std::vector<float> x = randomFloats(2 * 8 * 16 * 16), b = randomFloats(8, 2);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x), bytesOfNumbers(b)});
  std::vector<float> expected(x);
  for (size_t i = 0; i < x.size(); ++i)
    expected[i] += b[i / 256 % 8];
  expectNear(run.outputs[0], expected, 0);
  expectLeastTraffic(run, 4 * x.size() + x.size(), 4 * x.size());
}

/// Whatever the type: of bytes 16 are loaded at once.
TEST(CudaElements, Bytes) {
  OnnxBuilder model(14);
  const int32_t u8 = onnx::TensorProto::UINT8;
  model.output(model.node("Add", {model.input("x", u8, {4096}), model.input("y", u8, {4096})}), u8, {4096});
  std::vector<uint8_t> x(4096), y(4096), expected(4096);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<uint8_t>(i * 7);
    y[i] = static_cast<uint8_t>(i / 16);
    expected[i] = static_cast<uint8_t>(x[i] + y[i]);
  }
  const EmulatedRun run = runOnGpu(model, {x, y});
  EXPECT_EQ(run.outputs[0], expected);
  expectLeastTraffic(run, 2 * 4096, 4096);
}

class CudaTranspose : public testing::TestWithParam<Shape> {};

/// The last two dimensions change places.
TEST_P(CudaTranspose, AccessesNeighbours) {
  const auto [outer, rows, columns] = GetParam();
  OnnxBuilder model;
  model.output(model.node("Transpose", {model.input("x", f32, {outer, rows, columns})},
                          {{"perm", std::vector<int64_t>{0, 2, 1}}}),
               f32, {outer, columns, rows});
  const std::vector<float> x = randomFloats(outer * rows * columns);
  const EmulatedRun run = runOnGpu(model, {bytesOfNumbers(x)});
  std::vector<float> expected(x.size());
  for (int64_t i = 0; i < outer * rows * columns; ++i)
    expected[i / (rows * columns) * rows * columns + i % columns * rows + i / columns % rows] = x[i];
  expectNear(run.outputs[0], expected, 0);
  expectLeastTraffic(run, 4 * x.size(), 4 * x.size(), rows % 8 || columns % 8 ? 0.25 : 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CudaTranspose,
                         testing::Values(Shape{1, 64, 128}, Shape{3, 96, 40}, Shape{2, 100, 77}));

} // namespace
} // namespace daedalus::test
