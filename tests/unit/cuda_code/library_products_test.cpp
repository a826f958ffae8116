// Products that a library computes give what generated code gives: of whole numbers, whose sums are exact,
// the same bytes, with all that stands before and behind them.
#include "cuda_kernel.h"
#include "library_calls.h"
#include "onnx_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace daedalus::test {
namespace {

/// A model, and bytes for its inputs.
struct Model {
  std::string bytes;
  std::vector<std::vector<uint8_t>> inputs;
};

/// A product of matrices, perhaps of a batch, with factors that are transposed before and a Relu behind.
Model randomProduct(std::mt19937 &random) {
  const int32_t type = std::array{f32, f16, bf16, i8}[random() % 4];
  const auto draw = [&](int64_t most) { return int64_t(1 + random() % most); };
  const int64_t step = type == i8 ? 4 : 1, batch = random() % 2 ? draw(3) : 0;
  const int64_t m = step * draw(9), k = step * draw(12), n = step * draw(9) + step;
  OnnxBuilder model;
  Model made;
  const auto factor = [&](const std::string &name, int64_t rows, int64_t columns) {
    const bool isTransposed = random() % 2;
    std::vector<int64_t> shape = isTransposed ? std::vector{columns, rows} : std::vector{rows, columns};
    std::vector<int64_t> order = {1, 0};
    if (batch) {
      shape.insert(shape.begin(), batch);
      order = {0, 2, 1};
    }
    made.inputs.push_back(wholeNumbers({std::max<int64_t>(batch, 1), rows, columns}, type, random));
    const std::string input = model.input(name, type, shape);
    return isTransposed ? model.node("Transpose", {input}, {{"perm", order}}) : input;
  };
  const std::string a = factor("a", m, k), b = factor("b", k, n);
  std::string result = model.node(type == i8 ? "MatMulInteger" : "MatMul", {a, b});
  if (type != i8 && random() % 2)
    result = model.node("Relu", {result});
  model.output(result, type == i8 ? i32 : type, batch ? std::vector{batch, m, n} : std::vector{m, n});
  made.bytes = model.bytes();
  return made;
}

TEST(CudaLibraries, GiveWhatGeneratedCodeGives) {
  std::mt19937 random(11);
  size_t calls = 0;
  for (int number = 0; number < 60; ++number) {
    const Model model = randomProduct(random);
    const std::vector<EmulatedRun> runs =
        runsWith({"", "cublas", "cublaslt,cublas"}, model.bytes, model.inputs);
    ASSERT_EQ(runs.size(), 3U) << number;
    EXPECT_EQ(callsOf(runs[0]), 0U) << number;
    EXPECT_EQ(runs[0].outputs, runs[1].outputs) << number;
    EXPECT_EQ(runs[0].outputs, runs[2].outputs) << number;
    EXPECT_EQ(callsOf(runs[1]), callsOf(runs[2])) << number;
    calls += callsOf(runs[1]);
  }
  EXPECT_GE(calls, 50U); // of one row or column there is none
}

/// What a product begins with: an input, numbers of a fill, or 0.
TEST(CudaLibraries, AddToWhatIsThere) {
  std::mt19937 random(3);
  const std::vector<std::vector<uint8_t>> inputs = {
      wholeNumbers({24}, f32, random), wholeNumbers({40}, f32, random), wholeNumbers({15}, f32, random)};
  for (const std::string begin : {"%c", "%ones", "%zeros"}) {
    const std::string text =
        "func.func @main(%a: tensor<3x8xf32>, %b: tensor<8x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> "
        "{\n"
        "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n"
        "  %e = tensor.empty() : tensor<3x5xf32>\n"
        "  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>\n"
        "  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>\n"
        "  %p = linalg.matmul ins(%a, %b : tensor<3x8xf32>, tensor<8x5xf32>) outs(" +
        begin +
        " : tensor<3x5xf32>) -> tensor<3x5xf32>\n"
        "  %f = tensor.empty() : tensor<3x5xf32>\n"
        "  %y = linalg.add ins(%p, %c : tensor<3x5xf32>, tensor<3x5xf32>) outs(%f : tensor<3x5xf32>) -> "
        "tensor<3x5xf32>\n"
        "  return %y : tensor<3x5xf32>\n}\n";
    std::vector<EmulatedRun> runs;
    for (const char *libraries : {"", "cublas"}) {
      Result<EmulatedKernel> kernel = EmulatedKernel::ofText(text, libraries);
      ASSERT_TRUE(kernel) << kernel.error();
      Result<EmulatedRun> run = kernel->run(inputs);
      ASSERT_TRUE(run) << begin << ": " << run.error();
      runs.push_back(std::move(*run));
    }
    EXPECT_EQ(callsOf(runs[1]), 1U) << begin;
    EXPECT_EQ(runs[0].outputs, runs[1].outputs) << begin;
  }
}

TEST(CudaLibraries, AreGivenTheNamedPatternsAlone) {
  OnnxBuilder model;
  model.output(model.node("MatMul", {model.input("a", f32, {8, 8}), model.input("b", f32, {8, 8})}), f32,
               {8, 8});
  std::mt19937 random(1);
  const std::vector<std::vector<uint8_t>> inputs = {wholeNumbers({64}, f32, random),
                                                    wholeNumbers({64}, f32, random)};
  for (auto [libraries, calls] :
       {std::pair("cublas:matmul_i8", 0U), std::pair("cublas:matmul_i8+matmul", 1U)}) {
    Result<EmulatedKernel> kernel = EmulatedKernel::ofModel(model.bytes(), "", {"sm_80", libraries});
    ASSERT_TRUE(kernel) << kernel.error();
    const Result<EmulatedRun> run = kernel->run(inputs);
    ASSERT_TRUE(run) << run.error();
    EXPECT_EQ(callsOf(*run), calls) << libraries;
  }
}

} // namespace
} // namespace daedalus::test
