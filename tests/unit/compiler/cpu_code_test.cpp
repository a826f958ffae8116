// What code for the CPU consists of: blocks of sums of products, and no large constant.

#include "onnx_builder.h"
#include "run_model.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CPU/Settings.h"

#include "Target/CPU/MicroKernels/MicroKernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;

cpu::Features features(unsigned bits, unsigned registers) {
  cpu::Features features;
  features.vectorBits = bits;
  features.registers = registers;
  return features;
}

TEST(CpuCode, BlocksFitIntoRegisters) {
  for (unsigned accumulators : {1u, 2u, 4u, 8u})
    for (unsigned registers : {16u, 32u})
      for (int64_t rows : {1, 3, 7, 14, 56, 100})
        for (int64_t panels : {1, 2, 3, 4, 63}) {
          const cpu::Block block =
              cpu::BlockNeeds{{rows, panels}, accumulators}.best(features(512, registers));
          EXPECT_GE(block.rows, 1);
          EXPECT_GE(block.panels, 1);
          EXPECT_LE(block.rows, rows);
          EXPECT_LE(block.panels, panels);
          EXPECT_TRUE(block.rows * block.panels == 1 || block.rows * block.panels * accumulators < registers)
              << rows << " " << panels << " " << accumulators << " " << registers;
        }
}

/// Rows that fill their blocks are worth more than larger blocks.
TEST(CpuCode, BlocksLeaveNoRowsOver) {
  EXPECT_EQ((cpu::BlockNeeds{{56, 2}}.best(features(512, 32))).rows, 14);
  EXPECT_EQ((cpu::BlockNeeds{{7, 32}}.best(features(512, 32))).rows, 7);
}

/// The LLVM IR of a model, written to a file of the test's own.
std::string llvmOf(const OnnxBuilder &model, const std::string &level = "native") {
  const std::string path = testing::TempDir() + "cpu_code.onnx";
  std::ofstream(path, std::ios::binary) << model.bytes();
  CompileOptions options;
  options.target = "cpu";
  options.settings.of<cpu::Settings>().levels = level;
  Result<std::string> text = emitLevel(path, options, "llvm");
  EXPECT_TRUE(text) << text.error();
  return text ? *text : "";
}

/// Bytes of a type as LLVM prints it; 0 of those that are no array.
int64_t bytesOfType(const std::string &type) {
  static const std::regex array("\\[(\\d+) x (.*)\\]");
  std::smatch match;
  if (std::regex_match(type, match, array))
    return std::stoll(match[1]) * std::max<int64_t>(1, bytesOfType(match[2]));
  if (type == "double" || type == "i64")
    return 8;
  if (type == "float" || type == "i32")
    return 4;
  return type == "i16" || type == "half" ? 2 : 1;
}

TEST(CpuCode, ConstantsOfMoreThan64BytesAreNoneOfIt) {
  OnnxBuilder model;
  std::vector<float> weights(20 * 30 * 9), bias(20), factors(20 * 8 * 8);
  for (auto *numbers : {&weights, &bias, &factors})
    for (size_t i = 0; i < numbers->size(); ++i)
      (*numbers)[i] = float(i % 7);
  std::string y = model.node("Conv",
                             {model.input("x", Proto::FLOAT, {1, 30, 8, 8}),
                              model.floats({20, 30, 3, 3}, weights), model.floats({20}, bias)},
                             {{"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  y = model.node("Mul", {y, model.floats({1, 20, 8, 8}, factors)});
  std::vector<int64_t> indices(17);
  for (int i = 0; i < 17; ++i)
    indices[i] = i * 3 % 20;
  y = model.node("Gather", {y, model.integers(Proto::INT64, {17}, indices)}, {{"axis", 1}});
  model.output(y, Proto::FLOAT, {1, 17, 8, 8});
  const std::string text = llvmOf(model);
  static const std::regex global("^@[^ ]+ = .*constant (\\[.*?\\]+) ");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; line.size() < 1000 && std::regex_search(line, match, global)) {
      EXPECT_LE(bytesOfType(match[1]), 64) << line.substr(0, 200);
    } else {
      EXPECT_LT(line.size(), 1000u) << line.substr(0, 200);
    }
  EXPECT_NE(text.find("fmul"), std::string::npos) << "the kernels are there";
}

/// Products of bytes at the ends of their ranges, in every lane: none saturates.
TEST(CpuCode, ProductsAtTheEndsOfTheirRanges) {
  constexpr int64_t depth = 64, columns = 40;
  for (int x : {-128, 127})
    for (int w : {-128, 127}) {
      OnnxBuilder model;
      const std::string in = model.dequantize(model.input("x", Proto::INT8, {3, depth}), 1, 0);
      const std::string weights = model.weights({depth, columns}, Bytes(depth * columns, int8_t(w)), {1}, 0);
      model.output(model.quantize(model.node("MatMul", {in, weights}), 16384, 0), Proto::INT8, {3, columns});
      const double sum = std::nearbyint(double(depth) * x * w / 16384);
      const std::vector<uint8_t> expected(3 * columns, uint8_t(int8_t(std::clamp(sum, -128.0, 127.0))));
      EXPECT_EQ(runModel(model, {Bytes(3 * depth, int8_t(x))})[0], expected) << x << " " << w;
    }
}

/// Of two products of bytes, the wide ones are made once, not in front of each product; where instructions
/// multiply bytes, there are none.
TEST(CpuCode, BytesAreWidenedOncePerTile) {
  OnnxBuilder model;
  std::string y = model.dequantize(model.input("x", Proto::INT8, {32, 64}), 0.5f, 0);
  y = model.node("MatMul", {y, model.weights({64, 64}, Bytes(64 * 64, 1), {0.5f}, 0)});
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {32, 64});
  const std::regex few("sext <4 x i8>"), wide("x i16>");
  for (const std::string level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    const std::string text = llvmOf(model, level);
    EXPECT_TRUE(std::regex_search(text, wide)) << level;
    EXPECT_FALSE(std::regex_search(text, few)) << level;
  }
  EXPECT_FALSE(std::regex_search(llvmOf(model, "x86-64-v4-vnni"), wide));
}

/// Layers that differ in their weights alone share a function, and each has its own weights.
TEST(CpuCode, KernelsOfOtherWeightsAreOneFunction) {
  OnnxBuilder model;
  std::string y = model.input("x", Proto::FLOAT, {4, 32});
  std::vector<std::vector<float>> weights;
  std::mt19937 random(3);
  for (int layer = 0; layer < 3; ++layer) {
    weights.emplace_back(32 * 32);
    for (float &weight : weights.back())
      weight = float(int(random() % 5) - 2);
    y = model.node("MatMul", {y, model.floats({32, 32}, weights.back())});
  }
  model.output(y, Proto::FLOAT, {4, 32});
  Result<Compiled> compiled = compileBytes(model.bytes());
  ASSERT_TRUE(compiled) << compiled.error();
  EXPECT_EQ(compiled->package.kernels.size(), 1u);
  EXPECT_EQ(compiled->package.constants.size(), 3u * 32 * 32 * 4);
  std::vector<float> x(4 * 32);
  for (float &value : x)
    value = float(int(random() % 3) - 1);
  std::vector<float> expected = x;
  for (const std::vector<float> &matrix : weights) {
    const std::vector<float> from = expected;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 32; ++j) {
        expected[i * 32 + j] = 0;
        for (int k = 0; k < 32; ++k)
          expected[i * 32 + j] += from[i * 32 + k] * matrix[k * 32 + j];
      }
  }
  EXPECT_EQ(numbersOf<float>(runModel(model, {bytesOf(x)})[0]), expected);
}

} // namespace
} // namespace daedalus::test
