// Products by tiles: their values, and that the code moves no more bytes than tiles of its sizes need, uses tensor
// cores as often as the product needs, and reads shared memory without conflicts.
#include "cuda_kernel.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus::test {
namespace {

constexpr int32_t f32 = onnx::TensorProto::FLOAT, f16 = onnx::TensorProto::FLOAT16,
                  i8 = onnx::TensorProto::INT8, i32 = onnx::TensorProto::INT32;

/// Small whole numbers, of which float16 holds sums of products exactly.
std::vector<int> randomNumbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> distribution(-3, 3);
  std::vector<int> values(count);
  for (int &value : values)
    value = distribution(random);
  return values;
}

/// A whole number below 2048 as the bits of a float16.
uint16_t float16Of(int value) {
  if (value == 0)
    return 0;
  const int magnitude = std::abs(value), exponent = int(std::log2(magnitude));
  const int fraction = (magnitude << (10 - exponent)) & 0x3ff;
  return static_cast<uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | fraction);
}

std::vector<uint8_t> stored(const std::vector<int> &values, int32_t type) {
  std::vector<uint8_t> bytes;
  const auto append = [&](auto number) {
    const auto *begin = reinterpret_cast<const uint8_t *>(&number);
    bytes.insert(bytes.end(), begin, begin + sizeof number);
  };
  for (int value : values) {
    if (type == f32)
      append(float(value));
    else if (type == f16)
      append(float16Of(value));
    else if (type == i8)
      append(int8_t(value));
    else
      append(int32_t(value));
  }
  return bytes;
}

struct Case {
  int32_t type;
  int64_t m, n, k;
  int64_t tile, instructionK; ///< rows and columns of a tile; K of one instruction, 0: no tensor cores
};

int64_t ceilDiv(int64_t x, int64_t y) {
  return (x + y - 1) / y;
}

class CudaProducts : public ::testing::TestWithParam<Case> {};

TEST_P(CudaProducts, MoveAndComputeWhatTilesNeed) {
  const auto [type, m, n, k, tile, instructionK] = GetParam();
  const int32_t result = type == i8 ? i32 : type;
  OnnxBuilder model;
  const std::string op = type == i8 ? "MatMulInteger" : "MatMul";
  model.output(model.node(op, {model.input("a", type, {m, k}), model.input("b", type, {k, n})}), result, {m, n});
  const std::vector<int> a = randomNumbers(m * k, 1), b = randomNumbers(k * n, 2);
  std::vector<int> expected(m * n, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j)
        expected[i * n + j] += a[i * k + l] * b[l * n + j];
  Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes());
  ASSERT_TRUE(kernel) << kernel.error();
  Result<EmulatedRun> run = kernel->run({stored(a, type), stored(b, type)});
  ASSERT_TRUE(run) << run.error();
  EXPECT_EQ(run->outputs[0], stored(expected, result));
  ASSERT_EQ(run->launches.size(), 1U);
  const cuda::EmulationCounts counts = run->total();
  const int64_t size = type == f32 ? 4 : type == f16 ? 2 : 1, down = ceilDiv(m, tile), across = ceilDiv(n, tile);
  EXPECT_EQ(int64_t(run->launches[0].launch.grid[0]), down * across);
  EXPECT_EQ(int64_t(counts.globalBytesLoaded), size * k * (m * across + n * down));
  EXPECT_EQ(int64_t(counts.globalBytesStored), m * n * (type == i8 ? 4 : size));
  EXPECT_EQ(counts.bankConflicts, 0U);
  const int64_t instructions =
      instructionK ? down * across * (tile / 16) * (tile / 8) * ceilDiv(k, 2 * instructionK) * 2 : 0;
  EXPECT_EQ(int64_t(counts.tensorInstructions), instructions);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaProducts,
                         ::testing::Values(Case{f32, 128, 128, 64, 64, 0}, Case{f32, 130, 68, 100, 64, 0},
                                           Case{f16, 64, 64, 128, 32, 16}, Case{f16, 72, 40, 160, 32, 16},
                                           Case{i8, 64, 64, 256, 32, 32}, Case{i8, 48, 33, 144, 32, 32}));

} // namespace
} // namespace daedalus::test
