// Products as large as networks have, of which a block of each kind is emulated: the code moves little more
// than tiles of its sizes need, uses tensor cores as often as the product needs, and reads shared memory
// without conflicts.
#include "launched_products.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>

namespace daedalus::test {
namespace {

constexpr int32_t f32 = onnx::TensorProto::FLOAT, f16 = onnx::TensorProto::FLOAT16,
                  bf16 = onnx::TensorProto::BFLOAT16, i8 = onnx::TensorProto::INT8,
                  i32 = onnx::TensorProto::INT32;

void printHeader() {
  std::printf("%-10s %6s %5s %5s  %-13s %7s %10s %7s %8s %12s %9s %6s\n", "product", "m", "n", "k", "tile",
              "blocks", "MB moved", "x least", "besides", "mma", "conflicts", "s");
}

void expectLittle(LaunchedProducts &model, const LaunchedProduct &product, const char *name) {
  const auto begin = std::chrono::steady_clock::now();
  const Result<cuda::EmulationCounts> counts = model.count(product);
  ASSERT_TRUE(counts) << counts.error();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const uint64_t moved = counts->globalBytesLoaded + counts->globalBytesStored;
  const auto least = double(product.leastBytes()), besides = double(product.otherBytes());
  const std::string tile = std::to_string(product.tileM) + "x" + std::to_string(product.tileN) + "x" +
                           std::to_string(product.tileK);
  std::printf("%-10s %6ld %5ld %5ld  %-13s %7u %10.1f %7.3f %8.3f %12lu %9lu %6.2f\n", name, long(product.m),
              long(product.n), long(product.k), tile.c_str(), product.blocks, double(moved) / 1e6,
              (double(moved) - besides) / least, besides / least,
              static_cast<unsigned long>(counts->tensorInstructions),
              static_cast<unsigned long>(counts->bankConflicts), seconds.count());
  EXPECT_EQ(int64_t(product.blocks), product.down() * product.across());
  EXPECT_LE(double(moved), 1.1 * least + besides);
  EXPECT_EQ(counts->globalBytesStored, product.operandBytes.back());
  EXPECT_EQ(counts->bankConflicts, 0U);
  EXPECT_EQ(counts->tensorInstructions, product.leastInstructions());
}

struct Type {
  const char *name;
  int32_t element, result;
  bool hasTensorCores, hasWarpgroups;
};

class CudaLargeProducts : public ::testing::TestWithParam<Type> {};

TEST_P(CudaLargeProducts, MoveAndComputeWhatTilesNeed) {
  const Type &type = GetParam();
  printHeader();
  for (int64_t size : {1024, 2048, 4096, 8192}) {
    SCOPED_TRACE(size);
    OnnxBuilder model;
    const std::string a = model.input("a", type.element, {size, size}),
                      b = model.input("b", type.element, {size, size});
    model.output(model.node(type.element == i8 ? "MatMulInteger" : "MatMul", {a, b}), type.result,
                 {size, size});
    Result<LaunchedProducts> products =
        LaunchedProducts::ofModel(model.bytes(), type.hasWarpgroups ? "emulated-sm_90a" : "emulated");
    ASSERT_TRUE(products) << products.error();
    ASSERT_EQ(products->all().size(), 1U);
    EXPECT_EQ(products->all()[0].hasTensorCores, type.hasTensorCores);
    EXPECT_EQ(products->all()[0].groupColumns > 0, type.hasWarpgroups);
    expectLittle(*products, products->all()[0], type.name);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, CudaLargeProducts,
    ::testing::Values(Type{"float16", f16, f16, true, false}, Type{"bfloat16", bf16, bf16, true, false},
                      Type{"int8", i8, i32, true, false}, Type{"float32", f32, f32, false, false},
                      Type{"float16_90a", f16, f16, true, true}, Type{"int8_90a", i8, i32, true, true}),
    [](const auto &info) { return info.param.name; });

/// The bytes of the bias and the scale of a column, which every element of it reads again, are told apart: no
/// size of tiles changes them, and they are up to 3.6 times those of the product itself.
TEST(CudaLargeProducts, ConvolutionsOfResNet50) {
  const std::string model = DAEDALUS_BINARY_DIR "/models/networks/resnet50.onnx";
  if (!std::ifstream(model))
    GTEST_SKIP() << "no models were built (python3-onnx)";
  Result<LaunchedProducts> products = LaunchedProducts::ofFile(model);
  ASSERT_TRUE(products) << products.error();
  EXPECT_EQ(products->all().size(), 53U);
  printHeader();
  for (const LaunchedProduct &product : products->all()) {
    SCOPED_TRACE(product.function);
    expectLittle(*products, product, "int8");
  }
}

} // namespace
} // namespace daedalus::test
