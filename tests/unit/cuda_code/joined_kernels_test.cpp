// Operators of float16 whose kernels are joined (fuse-calls) are one launch, and round where each of them
// did.
#include "library_calls.h"

namespace daedalus::test {
namespace {

/// relu(a * b / 3 + c), rounded to float16 behind each operator.
TEST(CudaJoinedKernels, RoundBehindEachOperator) {
  std::mt19937 random(1);
  constexpr int64_t m = 33, n = 70, k = 50;
  const auto numbersOf = [&](int64_t count) {
    std::vector<float> made;
    for (int64_t i = 0; i < count; ++i)
      made.push_back(float(int(random() % 7) - 3));
    return made;
  };
  const auto rounded = [](float value) { return floatOfFloat16(float16Of(value)); };
  const auto halvesOf = [](const std::vector<float> &values) {
    std::vector<uint16_t> made;
    for (float value : values)
      made.push_back(float16Of(value));
    return bytesOfNumbers(made);
  };
  const std::vector<float> a = numbersOf(m * k), b = numbersOf(k * n), c = numbersOf(m * n);
  const std::vector<float> third(size_t(m * n), rounded(1 / 3.0F));
  std::vector<float> expected;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      expected.push_back(std::max(rounded(rounded(rounded(sum) * third[0]) + c[i * n + j]), 0.0F));
    }
  OnnxBuilder model;
  const std::string product =
      model.node("MatMul", {model.input("a", f16, {m, k}), model.input("b", f16, {k, n})});
  const std::string scaled = model.node("Mul", {product, model.input("third", f16, {m, n})});
  const std::string sum = model.node("Add", {scaled, model.input("c", f16, {m, n})});
  model.output(model.node("Relu", {sum}), f16, {m, n});
  for (const char *gpu : {"sm_80", "sm_90a"}) {
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes(), "", {gpu});
    Result<EmulatedRun> run = kernel ? kernel->run({halvesOf(a), halvesOf(b), halvesOf(third), halvesOf(c)})
                                     : error(kernel.error());
    ASSERT_TRUE(run) << run.error();
    EXPECT_EQ(run->launches.size(), 1U);
    EXPECT_EQ(run->outputs[0], halvesOf(expected));
  }
}

} // namespace
} // namespace daedalus::test
