// Products by tiles: their values, and that the code moves no more bytes than tiles of its sizes need, uses
// tensor cores as often as the product needs, and reads shared memory without conflicts.
#include "cuda_kernel.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus::test {
namespace {

constexpr int32_t f32 = onnx::TensorProto::FLOAT, f16 = onnx::TensorProto::FLOAT16,
                  bf16 = onnx::TensorProto::BFLOAT16, i8 = onnx::TensorProto::INT8,
                  i32 = onnx::TensorProto::INT32;

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

/// The same of a bfloat16, rounded to nearest even.
uint16_t bfloat16Of(int value) {
  const float number = float(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
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
    else if (type == bf16)
      append(bfloat16Of(value));
    else if (type == i8)
      append(int8_t(value));
    else
      append(int32_t(value));
  }
  return bytes;
}

struct Tile {
  const char *way;
  int64_t m, n, k, warpsM, warpsN, stages;
};

struct Case {
  int32_t type;
  int64_t m, n, k;
  Tile tile;
  bool isTransposed = false; ///< both factors are, by Gemm

  bool isByWarpgroups() const { return std::string(tile.way) == "warpgroups"; }
  bool hasTensorCores() const { return isByWarpgroups() || std::string(tile.way) == "tensor_cores"; }
};

int64_t ceilDiv(int64_t x, int64_t y) {
  return (x + y - 1) / y;
}

std::string scheduleOf(const Case &c) {
  const char *element = c.type == f32 ? "f32" : c.type == f16 ? "f16" : c.type == bf16 ? "bf16" : "i8";
  const auto list = [](std::initializer_list<int64_t> numbers) {
    std::string text;
    for (int64_t number : numbers)
      text += (text.empty() ? "[" : ", ") + std::to_string(number);
    return text + "]";
  };
  std::string text = "cuda.schedule format 1 {\n  cuda.product " + std::string(element) + " " +
                     list({1, c.m, c.n, c.k}) + " by " + c.tile.way + " tile " +
                     list({c.tile.m, c.tile.n, c.tile.k});
  if (c.hasTensorCores())
    text += " warps " + list({c.tile.warpsM, c.tile.warpsN});
  return text + " stages " + std::to_string(c.tile.stages) + "\n}\n";
}

std::vector<int> transposed(const std::vector<int> &values, int64_t rows) {
  const auto columns = int64_t(values.size()) / rows;
  std::vector<int> turned(values.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      turned[j * rows + i] = values[i * columns + j];
  return turned;
}

/// Instructions of tensor cores that a block needs for a stage: of 16 x 8 sums each, or, of four warps
/// together, 64 times as many as share the rows of a warp.
int64_t instructionsOf(const Case &c) {
  const int64_t size = c.type == i8 ? 1 : 2, alongK = c.tile.k * size / 32;
  return c.isByWarpgroups()   ? c.tile.m / 64 * c.tile.warpsN * alongK
         : c.hasTensorCores() ? c.tile.m / 16 * (c.tile.n / 8) * alongK
                              : 0;
}

/// A product of matrices of random numbers; the run fails the test where it gives other sums.
EmulatedRun runProduct(const Case &c, const std::string &schedule) {
  const int32_t result = c.type == i8 ? i32 : c.type;
  OnnxBuilder model;
  const std::string op = c.type == i8 ? "MatMulInteger" : "MatMul";
  const auto shape = [&](int64_t rows, int64_t columns) {
    return c.isTransposed ? std::vector<int64_t>{columns, rows} : std::vector<int64_t>{rows, columns};
  };
  const std::string left = model.input("a", c.type, shape(c.m, c.k)),
                    right = model.input("b", c.type, shape(c.k, c.n));
  model.output(c.isTransposed ? model.node("Gemm", {left, right}, {{"transA", 1}, {"transB", 1}})
                              : model.node(op, {left, right}),
               result, {c.m, c.n});
  const std::vector<int> a = randomNumbers(c.m * c.k, 1), b = randomNumbers(c.k * c.n, 2);
  const auto given = [&](const std::vector<int> &values, int64_t rows) {
    return stored(c.isTransposed ? transposed(values, rows) : values, c.type);
  };
  std::vector<int> expected(c.m * c.n, 0);
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t l = 0; l < c.k; ++l)
      for (int64_t j = 0; j < c.n; ++j)
        expected[i * c.n + j] += a[i * c.k + l] * b[l * c.n + j];
  Result<EmulatedKernel> kernel =
      EmulatedKernel::ofModel(model.bytes(), schedule, {c.isByWarpgroups() ? "sm_90a" : "sm_80"});
  EXPECT_TRUE(kernel) << kernel.error();
  Result<EmulatedRun> run = kernel ? kernel->run({given(a, c.m), given(b, c.k)}) : error("");
  EXPECT_TRUE(run) << run.error();
  if (!run)
    return {};
  EXPECT_EQ(run->outputs[0], stored(expected, result));
  EXPECT_EQ(run->launches.size(), 1U);
  return std::move(*run);
}

class CudaProducts : public ::testing::TestWithParam<Case> {};

TEST_P(CudaProducts, MoveAndComputeWhatTilesNeed) {
  const Case &c = GetParam();
  const EmulatedRun run = runProduct(c, scheduleOf(c));
  if (HasFailure())
    return;
  const cuda::EmulationCounts counts = run.total();
  const int64_t size = c.type == f32 ? 4 : c.type == i8 ? 1 : 2;
  const int64_t down = ceilDiv(c.m, c.tile.m), across = ceilDiv(c.n, c.tile.n),
                steps = ceilDiv(c.k, c.tile.k);
  EXPECT_EQ(int64_t(run.launches[0].launch.grid[0]), down * across);
  EXPECT_EQ(int64_t(counts.globalBytesLoaded), size * c.k * (c.m * across + c.n * down));
  EXPECT_EQ(int64_t(counts.globalBytesStored), c.m * c.n * (c.type == i8 ? 4 : size));
  EXPECT_EQ(counts.bankConflicts, 0U);
  EXPECT_EQ(int64_t(counts.tensorInstructions), down * across * steps * instructionsOf(c));
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaProducts,
                         ::testing::Values(Case{f32, 128, 128, 64, {"fma", 64, 64, 16, 2, 4, 4}},
                                           Case{f32, 130, 68, 100, {"fma", 64, 64, 16, 2, 4, 2}},
                                           Case{f32, 160, 132, 64, {"fma", 128, 128, 16, 2, 4, 3}},
                                           Case{f32, 36, 40, 52, {"fma", 32, 32, 16, 2, 4, 4}},
                                           Case{f16, 40, 40, 64, {"fma", 16, 16, 16, 2, 4, 2}},
                                           Case{f16, 64, 64, 128, {"tensor_cores", 32, 32, 32, 1, 2, 4}},
                                           Case{f16, 72, 40, 160, {"tensor_cores", 32, 64, 32, 1, 2, 3}},
                                           Case{f16, 264, 136, 72, {"tensor_cores", 128, 128, 32, 2, 4, 3}},
                                           Case{bf16, 64, 72, 96, {"tensor_cores", 64, 32, 32, 2, 1, 4}},
                                           Case{i8, 64, 64, 256, {"tensor_cores", 32, 32, 64, 1, 2, 4}},
                                           Case{i8, 136, 33, 144, {"tensor_cores", 128, 64, 64, 4, 2, 4}},
                                           Case{f16, 128, 128, 128, {"warpgroups", 128, 128, 64, 8, 1, 4}},
                                           Case{f16, 136, 264, 200, {"warpgroups", 128, 256, 64, 8, 1, 3}},
                                           Case{bf16, 72, 64, 96, {"warpgroups", 64, 64, 32, 4, 1, 3}},
                                           Case{f16, 128, 128, 64, {"warpgroups", 128, 128, 64, 4, 2, 2}},
                                           Case{f16, 64, 32, 48, {"warpgroups", 64, 32, 16, 4, 1, 2}},
                                           Case{f16, 136, 80, 96, {"warpgroups", 64, 64, 32, 4, 1, 3}, true},
                                           Case{f16, 64, 64, 256, {"warpgroups", 64, 64, 128, 4, 1, 2}, true},
                                           Case{i8, 64, 128, 256, {"warpgroups", 64, 128, 128, 4, 1, 4}},
                                           Case{i8, 200, 70, 144, {"warpgroups", 128, 64, 32, 8, 1, 4}}));

/// Tiles of any sizes that are legal give the same sums.
class CudaSchedules : public ::testing::Test {
protected:
  int64_t draw(std::initializer_list<int64_t> from) { return *(from.begin() + random() % from.size()); }
  int32_t drawType(std::initializer_list<int32_t> from) { return *(from.begin() + random() % from.size()); }

  /// Of random sizes.
  void expectSums(int32_t type, const Tile &tile, bool isTransposed = false) {
    const Case c{type,
                 int64_t(2 + random() % 90),
                 int64_t(2 + random() % 90),
                 int64_t(1 + random() % 200),
                 tile,
                 isTransposed};
    SCOPED_TRACE(scheduleOf(c));
    runProduct(c, scheduleOf(c));
  }

  std::mt19937 random{7};
};

TEST_F(CudaSchedules, OfAnyLegalTileGiveTheSameSums) {
  for (int number = 0; number < 40 && !HasFailure(); ++number) {
    const int32_t type = drawType({f32, f16, bf16, i8});
    const int64_t least = type == i8 ? 32 : 16;
    Tile tile{type == f32 ? "fma" : "tensor_cores",
              draw({16, 32, 64}),
              draw({16, 32, 64}),
              least * draw({1, 2, 4}),
              draw({1, 2}),
              draw({1, 2}),
              draw({2, 3, 5})};
    tile.m = std::max(tile.m, 16 * tile.warpsM), tile.n = std::max(tile.n, 16 * tile.warpsN);
    const int64_t bytes = type == f32 ? 4 : type == i8 ? 1 : 2;
    if (tile.stages * (tile.m + tile.n) * tile.k * bytes > 48 << 10)
      tile.stages = 2;
    expectSums(type, tile);
  }
}

TEST_F(CudaSchedules, OfAnyLegalTileOfWarpgroupsGiveTheSameSums) {
  for (int number = 0; number < 30 && !HasFailure(); ++number) {
    const int32_t type = drawType({f16, bf16, i8});
    Tile tile{
        "warpgroups", draw({64, 128}), draw({16, 32, 64, 128}), (type == i8 ? 32 : 16) * draw({1, 2, 4, 8}),
        draw({4, 8}), draw({1, 2}),    draw({2, 3, 5})};
    tile.m = std::max(tile.m, 16 * tile.warpsM), tile.n = std::max(tile.n, 16 * tile.warpsN);
    if (tile.stages * (tile.m + tile.n) * tile.k * (type == i8 ? 1 : 2) > 227 << 10)
      tile.stages = 2;
    expectSums(type, tile, type != i8 && random() % 2);
  }
}

} // namespace
} // namespace daedalus::test
