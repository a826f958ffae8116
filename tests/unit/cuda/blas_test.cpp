// What the benchmark on GPUs asks of cuBLAS, and that it tells right products from wrong ones.
#include "benchmarks/cuda/blas.h"
#include "standin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace daedalus::test {
namespace {

using package::DType;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class F> F find(const char *library, const char *name) {
  return reinterpret_cast<F>(dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), name));
}

Tensor product(const Tensor &a, const Tensor &b) {
  const int64_t rows = a.type.shape[0], depth = a.type.shape[1], columns = b.type.shape[1];
  std::vector<float> x(size_t(rows * depth)), y(size_t(depth * columns)), sums(size_t(rows * columns), 0);
  std::memcpy(x.data(), a.data.data(), a.data.size());
  std::memcpy(y.data(), b.data.data(), b.data.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t i = 0; i < depth; ++i)
        sums[size_t(row * columns + column)] += x[size_t(row * depth + i)] * y[size_t(i * columns + column)];
  Tensor result{"y", {DType::F32, {rows, columns}}, std::vector<uint8_t>(sums.size() * sizeof(float))};
  std::memcpy(result.data.data(), sums.data(), result.data.size());
  return result;
}

class Product : public ::testing::Test {
protected:
  Random random{1};
  const Tensor a = exactTensor("a", {DType::F32, {5, 7}}, random),
               b = exactTensor("b", {DType::F32, {7, 11}}, random), y = product(a, b);
};

TEST_F(Product, IsCublasOfTheSameMatrices) {
  setenv("DAEDALUS_CUDA_DRIVER", DAEDALUS_TEST_STANDIN, 1);
  setenv("DAEDALUS_CUBLAS", DAEDALUS_TEST_STANDIN, 1);
  Standin *standin = find<Standin *(*)()>(DAEDALUS_TEST_STANDIN, "standinState")();
  *standin = Standin();
  {
    const Result<std::unique_ptr<Device>> device = Device::open();
    ASSERT_TRUE(device) << device.error();
    const Result<std::unique_ptr<Blas>> blas = Blas::open(**device);
    ASSERT_TRUE(blas) << blas.error();
    const Result<double> time = (*blas)->multiply(a, b, /*isTransposed=*/false);
    ASSERT_TRUE(time) << time.error();
    EXPECT_EQ(*time, 0.25);
  }
  const auto result = find<const std::vector<float> *(*)()>(DAEDALUS_TEST_STANDIN, "cublasStandinResult")();
  ASSERT_EQ(result->size() * sizeof(float), y.data.size());
  EXPECT_EQ(std::memcmp(result->data(), y.data.data(), y.data.size()), 0);
  EXPECT_THAT(standin->mistakes, IsEmpty());
  EXPECT_EQ(standin->alive, 1); // the context, which the process keeps
}

TEST_F(Product, ATransposedMatrixIsReadByColumns) {
  Tensor turned{"b", {DType::F32, {11, 7}}, std::vector<uint8_t>(b.data.size())};
  for (size_t row = 0; row < 7; ++row)
    for (size_t column = 0; column < 11; ++column)
      std::memcpy(turned.data.data() + (column * 7 + row) * sizeof(float),
                  b.data.data() + (row * 11 + column) * sizeof(float), sizeof(float));
  EXPECT_TRUE(checkProduct(a, turned, /*isTransposed=*/true, y, random));
  EXPECT_FALSE(checkProduct(a, b, /*isTransposed=*/true, y, random));
}

TEST_F(Product, AnyWrongElementIsFound) {
  EXPECT_TRUE(checkProduct(a, b, /*isTransposed=*/false, y, random));
  for (size_t at = 0; at < y.data.size() / sizeof(float); ++at) {
    Tensor wrong = y;
    float value = 0;
    std::memcpy(&value, wrong.data.data() + at * sizeof value, sizeof value);
    value += 1;
    std::memcpy(wrong.data.data() + at * sizeof value, &value, sizeof value);
    const Result<void> found = checkProduct(a, b, /*isTransposed=*/false, wrong, random);
    ASSERT_FALSE(found) << at;
    EXPECT_THAT(found.error(), HasSubstr("row " + std::to_string(at / 11) + " of the product"));
  }
}

TEST(Comparison, IntegersAreEqualAndFloatsNear) {
  Random random{2};
  for (DType dtype : {DType::I8, DType::U8, DType::Bool, DType::I16, DType::I32, DType::I64, DType::F16,
                      DType::BF16, DType::F32, DType::F64}) {
    const Tensor right = randomTensor("y", {dtype, {64}}, random);
    Tensor wrong = right;
    wrong.data[0] ^= 1; // the last bit of the first element
    EXPECT_TRUE(compare(right, right, 0, 0)) << name(dtype);
    EXPECT_FALSE(compare(wrong, right, 0, 0)) << name(dtype);
    const bool isFloat = dtype >= DType::F16 || dtype == DType::F32 || dtype == DType::F64;
    EXPECT_EQ(bool(compare(wrong, right, 0.01, 0)), isFloat) << name(dtype);
  }
  const Tensor one = randomTensor("y", {DType::F32, {2}}, random);
  EXPECT_FALSE(compare(one, randomTensor("y", {DType::F32, {2, 1}}, random), 10, 10));
}

} // namespace
} // namespace daedalus::test
